package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The drawing with encryption at rest. */
class EncryptedTopologyTest {
  private static final int DIMENSION = 4;

  @TempDir
  Path folder;

  private Keyset keyset;

  @BeforeEach
  void makeKeyset() throws IOException {
    keyset = Keyset.create(folder.resolve("keys"));
  }

  private static LearnerSettings settings(Layout layout, Encryption encryption) {
    return Trial.settings(layout, Trial.ONE, Trial.plan(DIMENSION, 5)).with(encryption);
  }

  /** Good events, and one in seven that is none. */
  private static void play(LearnerDriver driver) {
    Random random = Seed.random(1);
    for (int i = 0; i < 40; i++) {
      driver.pipe(null, i % 7 == 3 ? new byte[i] : Trial.event(random, DIMENSION));
    }
    driver.announce();
  }

  private List<String> published(Layout layout, Encryption encryption) {
    List<String> bytes = new ArrayList<>();
    try (LearnerDriver driver = new LearnerDriver(settings(layout, encryption), folder, 1)) {
      play(driver);
      for (String topic : List.of(
          Names.ledger(Trial.APP), Names.snapshots(Trial.APP), Names.deadLetters(Trial.APP))) {
        driver.take(topic).forEach(record -> bytes.add(topic + " " + hex(record)));
      }
    }
    return bytes;
  }

  private static String hex(TestRecord<byte[], byte[]> record) {
    HexFormat hex = HexFormat.of();
    String key = record.key() == null ? "" : hex.formatHex(record.key());
    return key + " " + hex.formatHex(record.value());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROUNDS")
  void publishesTheSameBitsWithAndWithoutEncryption(Layout layout) {
    List<String> clear = published(layout, Encryption.none());
    assertThat(clear).hasSizeGreaterThan(8 + 8 + 5);
    assertThat(published(layout, keyset)).isEqualTo(clear);
  }
}
