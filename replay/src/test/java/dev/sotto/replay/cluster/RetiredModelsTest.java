package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Models that are learned no more: what stays of them, what goes, and that the others do not notice. */
class RetiredModelsTest {
  /** How many schedules of faults. */
  int schedules() {
    return 3;
  }

  private static final int BATCH = 7;
  private static final int RECORDS = 300;

  private static OnePartition partition(int models) {
    LearnerSettings all = SmallLearner.settings(Mechanisms.BLT, BATCH, 5, 2);
    return new OnePartition(SmallLearner.with(all, SmallLearner.BY_KEY)).fill(RECORDS, models, 3);
  }

  private static void retire(OnePartition partition, String... ids) {
    limit(partition, Long.MAX_VALUE, Set.of(ids));
  }

  private static void limit(OnePartition partition, long most, Set<String> retired) {
    ModelIdRule.Limits limits = new ModelIdRule.Limits(Set.of(), most, retired);
    partition.settings = SmallLearner.with(partition.settings, SmallLearner.byKey(limits));
  }

  /** The weights' digests of each model's versions. */
  private static Map<String, List<String>> versions(OnePartition partition) {
    Map<String, List<String>> all = new TreeMap<>();
    for (LedgerEntry entry : partition.ledger()) {
      all.computeIfAbsent(entry.modelId(), id -> new ArrayList<>())
          .add(entry.round() + " " + OnePartition.hex(entry.snapshotDigest()));
    }
    return all;
  }

  private static List<String> keysOf(Map<String, byte[]> table, String modelId) {
    return table.keySet().stream()
        .filter(key -> key.endsWith("/" + modelId))
        .sorted()
        .toList();
  }

  @Test
  void leaveTheirVersionsAndTheirMarkAlone() {
    Map<String, List<String>> undisturbed = versions(partition(3).run());
    OnePartition partition = partition(3);
    partition.go(RECORDS / 2 + 3);
    List<String> before = versions(partition).get("b");
    int letters = partition.deadLetters.size();
    assertThat(keysOf(partition.arrays, "b")).isNotEmpty();
    retire(partition, "b");
    partition.go(1);
    assertThat(keysOf(partition.arrays, "b")).isEmpty();
    assertThat(keysOf(partition.heads, "b")).containsExactly("retired/b");
    partition.run();
    Map<String, List<String>> after = versions(partition);
    assertThat(after.get("a")).isEqualTo(undisturbed.get("a"));
    assertThat(after.get("c")).isEqualTo(undisturbed.get("c"));
    assertThat(after.get("b"))
        .isEqualTo(before)
        .hasSizeLessThan(undisturbed.get("b").size());
    assertThat(partition.deadLetters.size() - letters).isGreaterThan(RECORDS / 8);
  }

  /** Else its budget would begin anew, or its noise meet other sums. */
  @Test
  void stayRetiredWhereTheListForgetsThem() {
    OnePartition partition = partition(3);
    partition.go(RECORDS / 3);
    List<String> before = versions(partition).get("b");
    retire(partition, "b");
    partition.go(RECORDS / 3);
    retire(partition);
    partition.run();
    assertThat(versions(partition).get("b")).isEqualTo(before);
    assertThat(keysOf(partition.heads, "b")).containsExactly("retired/b");
  }

  @Test
  void publishTheSameWhereverItIsKilled() {
    OnePartition undisturbed = partition(3);
    undisturbed.go(RECORDS / 2);
    retire(undisturbed, "b", "never-seen");
    undisturbed.run();
    for (int seed = 0; seed < schedules(); seed++) {
      OnePartition partition = partition(3);
      partition.go(RECORDS / 2);
      retire(partition, "b", "never-seen");
      partition.runWithFaults(seed, 20);
      assertThat(partition.published()).isEqualTo(undisturbed.published());
      assertThat(keysOf(partition.arrays, "b")).isEmpty();
    }
  }

  /** What was published of them has been paid for: it is derived again, and no more than it. */
  @Test
  void areDerivedAgainUpToTheirLastVersion() {
    OnePartition partition = partition(3);
    partition.go(RECORDS / 2);
    retire(partition, "b");
    partition.go(RECORDS / 4);
    List<String> last = versions(partition).get("b");
    partition.loseStores();
    partition.run();
    OnePartition kept = partition(3);
    kept.go(RECORDS / 2);
    retire(kept, "b");
    kept.run();
    assertThat(versions(partition)).isEqualTo(versions(kept)).containsEntry("b", last);
    assertThat(keysOf(partition.arrays, "b")).isEmpty();
    assertThat(keysOf(partition.heads, "b")).containsExactly("retired/b");
  }

  @Test
  void makeRoomForOthers() {
    OnePartition partition = partition(4);
    limit(partition, 2, Set.of());
    partition.go(RECORDS / 2);
    Set<String> first = versions(partition).keySet();
    assertThat(first).hasSize(2);
    limit(partition, 2, first);
    partition.run();
    assertThat(versions(partition).keySet()).hasSize(4);
  }
}
