package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.SequencedSlotDecoder;
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
import org.junit.jupiter.api.Test;
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
    Random random = new Random(1);
    for (int i = 0; i < 40; i++) {
      driver.pipe(null, i % 7 == 3 ? new byte[i] : Trial.event(random, DIMENSION));
    }
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

  @Test
  void writesTheSameSlotsIntoTheSequence() {
    LearnerSettings clear = settings(Layout.FUNNEL, Encryption.none());
    LearnerSettings sealed = settings(Layout.FUNNEL, keyset);
    List<byte[]> expected = sequence(clear);
    List<byte[]> found = sequence(sealed);
    assertThat(found).hasSameSizeAs(expected).hasSize(40);
    Slot slot = new Slot(DIMENSION);
    for (int i = 0; i < found.size(); i++) {
      assertThat(new SlotCodec().decode(found.get(i), slot)).isEqualTo(RecordStatus.UNREADABLE);
      assertThat(sealed.sequenceCipher().open(found.get(i))).isEqualTo(expected.get(i));
    }
  }

  private List<byte[]> sequence(LearnerSettings settings) {
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
      play(driver);
      return driver.take(Names.sequence(Trial.APP)).stream()
          .map(TestRecord::value)
          .toList();
    }
  }

  /** Else the limit would turn other events into empty slots than without encryption. */
  @Test
  void measuresWhatTheSequenceCanHoldInClear() {
    List<Integer> dimensions =
        List.of(124_990, 125_010); // about a million bytes, somewhat less and more
    for (int dimension : dimensions) {
      List<RecordStatus> verdicts = new ArrayList<>();
      for (Encryption encryption : List.of(Encryption.none(), keyset)) {
        LearnerSettings settings =
            Trial.settings(Layout.FUNNEL, Trial.ONE, Trial.plan(dimension, 2)).with(encryption);
        try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
          driver.pipe(null, Trial.event(new Random(3), dimension));
          byte[] value = driver.take(Names.sequence(Trial.APP)).get(0).value();
          verdicts.add(
              new SlotCodec().decode(settings.sequenceCipher().open(value), new Slot(dimension)));
        }
      }
      assertThat(verdicts)
          .containsOnly(dimension == 124_990 ? RecordStatus.USED : RecordStatus.TOO_LARGE);
    }
  }

  @Test
  void refusesASequenceThatWasWrittenOtherwise() {
    LearnerSettings clear = settings(Layout.FUNNEL, Encryption.none());
    LearnerSettings sealed = settings(Layout.FUNNEL, keyset);
    byte[] inClear = sequence(clear).get(0);
    byte[] encrypted = sequence(sealed).get(0);
    assertThatThrownBy(() -> decode(sealed, inClear))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll("topic trial.sequence", "was written without encryption");
    assertThatThrownBy(() -> decode(clear, encrypted))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll("topic trial.sequence", "is encrypted");
    assertThat(decode(clear, inClear)).isEqualTo(RecordStatus.USED);
    assertThat(decode(sealed, encrypted)).isEqualTo(RecordStatus.USED);
  }

  private static RecordStatus decode(LearnerSettings settings, byte[] value) {
    return new SequencedSlotDecoder(DIMENSION, settings.sequenceCipher())
        .decode(null, value, new Slot(DIMENSION));
  }
}
