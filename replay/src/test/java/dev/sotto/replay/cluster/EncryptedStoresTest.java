package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A trainer over encrypted stores publishes what one over stores in clear does, bit for bit;
 * FaultSchedulesTest has it under faults.
 */
class EncryptedStoresTest {
  /** The beginning of every record that is stored whole: Avro's single-object encoding. */
  private static final byte[] SINGLE_OBJECT = {(byte) 0xC3, 1};

  @TempDir
  Path folder;

  private Keyset keyset;

  @BeforeEach
  void makeKeyset() throws IOException {
    keyset = Keyset.create(folder.resolve("keys"));
  }

  private static OnePartition partition(Encryption encryption) {
    Plan plan = SmallLearner.plan(
        Mechanisms.INDEPENDENT.make(),
        13,
        1e6,
        new Participation.Budgeted(100),
        GenerationSchedule.NONE,
        null);
    OnePartition partition = new OnePartition(SmallLearner.settings(plan, 40, 2)).fill(300, 1, 11);
    use(partition, encryption);
    return partition;
  }

  private static void use(OnePartition partition, Encryption encryption) {
    partition.settings = partition.settings.with(encryption);
  }

  private static Stream<byte[]> values(OnePartition partition) {
    return Stream.of(partition.heads, partition.arrays, partition.units)
        .flatMap(each -> each.values().stream());
  }

  private static boolean showsRecords(OnePartition partition) {
    return values(partition).anyMatch(value -> {
      for (int i = 0; i < Math.min(5, value.length - 1); i++) { // chunks begin with their length
        if (value[i] == SINGLE_OBJECT[0] && value[i + 1] == SINGLE_OBJECT[1]) {
          return true;
        }
      }
      return false;
    });
  }

  @Test
  void hidesEveryStoredRecord() {
    OnePartition partition = partition(keyset).run();
    // Ciphertexts begin with 1 and the id of their key: five bytes, the only ones that are not
    // random.
    assertThat(values(partition)).allSatisfy(value -> assertThat(value[0]).isEqualTo((byte) 1));
    OnePartition clear = partition(Encryption.none()).run();
    assertThat(clear.published()).isNotEmpty().isEqualTo(partition.published());
    assertThat(showsRecords(clear)).isTrue();
    requireHidden(clear.heads, partition.heads);
    requireHidden(clear.arrays, partition.arrays);
    requireHidden(clear.units, partition.units);
  }

  private static void requireHidden(Map<String, byte[]> clear, Map<String, byte[]> sealed) {
    assertThat(clear).isNotEmpty();
    assertThat(sealed.keySet()).containsAll(clear.keySet()).contains("encryption");
    clear.forEach((key, value) ->
        assertThat(hex(sealed.get(key))).as(key).isNotEmpty().doesNotContain(hex(value)));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void goesOnAfterARotation() throws IOException {
    OnePartition partition = partition(keyset);
    partition.restart();
    for (int i = 0; i < 150; i++) {
      partition.step();
    }
    partition.checkpoint();
    partition.commit();
    use(partition, Keyset.rotate(folder.resolve("keys")));
    assertThat(partition.run().published())
        .isEqualTo(partition(Encryption.none()).run().published());
  }

  /** Told before the first record, and nothing is overwritten. */
  @Test
  void refusesToStartOverStoresThatWereWrittenOtherwise() throws IOException {
    Keyset other = Keyset.create(folder.resolve("other"));
    List<List<Encryption>> changes = List.of(
        List.of(Encryption.none(), keyset),
        List.of(keyset, Encryption.none()),
        List.of(keyset, other));
    for (List<Encryption> change : changes) {
      OnePartition partition = partition(change.get(0)).run();
      List<String> published = partition.published();
      use(partition, change.get(1));
      assertThatThrownBy(partition::restart)
          .as("%s", change)
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining("store heads of app.id app (partition 0)");
      use(partition, change.get(0));
      assertThat(partition.run().published()).isEqualTo(published);
    }
  }
}
