package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** More models than the heap has room for. */
class ModelCacheTest {
  private static final long ROOM_FOR_TWO = 1;

  /** The first three models of the log. */
  @Test
  void learnsTheModelsSeenFirstAndSetsRecordsOfFurtherOnesAside() {
    OnePartition free = limited(1000, Long.MAX_VALUE).run();
    List<String> seen = free.log.values().stream()
        .map(each -> new String(each.key(), StandardCharsets.US_ASCII))
        .distinct()
        .toList();
    OnePartition three = limited(30, 3).run();
    assertThat(three.ledger().stream().map(LedgerEntry::modelId).distinct())
        .containsExactlyInAnyOrderElementsOf(seen.subList(0, 3));
    assertThat(three.deadLetters).hasSizeGreaterThan(free.deadLetters.size() + 200);
  }

  private static OnePartition limited(long checkpointSlots, long most) {
    LearnerSettings all = SmallLearner.settings(Mechanisms.BINARY_TREE, 13, checkpointSlots, 1);
    ModelIdRule ids = SmallLearner.byKey(new ModelIdRule.Limits(Set.of(), most));
    return new OnePartition(SmallLearner.with(all, ids)).fill(700, 7, 12);
  }

  @Test
  void oneModelGoesForOneThatComesAndItIsTheOneNotAskedForLongest() {
    LearnerSettings all = SmallLearner.settings(Mechanisms.BINARY_TREE, 13, 30, 1)
        .with(new Cadence(30, SmallLearner.NEVER, 1, ROOM_FOR_TWO));
    OnePartition partition = new OnePartition(SmallLearner.with(all, SmallLearner.BY_KEY));
    String order = "abaca";
    for (int i = 0; i < order.length(); i++) {
      byte[] key = {(byte) order.charAt(i)};
      partition.log.put(
          (long) i,
          new OnePartition.Event(key, PackedDoubles.pack(new double[SmallLearner.DIMENSION + 1])));
    }
    partition.restart();
    for (int i = 0; i < 4; i++) {
      partition.step();
    }
    assertThat(open(partition, "b")).as("gone, so written").isTrue();
    assertThat(open(partition, "a")).as("asked for before c").isFalse();
    assertThat(open(partition, "c")).isFalse();
    partition.step();
    assertThat(open(partition, "a")).isFalse();
  }

  /** Whether the open round of a model was written. */
  private static boolean open(OnePartition partition, String modelId) {
    return partition.stored(Names.HEADS, "open/" + modelId) != null;
  }
}
