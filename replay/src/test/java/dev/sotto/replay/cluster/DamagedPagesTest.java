package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.store.StateTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A learner whose state takes several pages: when they are written, and what it notices of wrong ones. */
class DamagedPagesTest {
  private static final int BATCH = 13;
  private static final int ROUNDS = 12;

  /** So many that sums that are kept in bits take two pages. */
  private static final int WEIGHTS = 90_000;

  private static List<String> undisturbed; // what so many weights give, once it was asked for

  private static OnePartition partition(Plan plan, long checkpointSlots, long stateEvery) {
    return new OnePartition(SmallLearner.settings(plan, checkpointSlots, stateEvery))
        .fill(ROUNDS * BATCH, 1, 11);
  }

  private static List<String> undisturbed() {
    if (undisturbed == null) {
      undisturbed = wide(1000, 100).run().published();
    }
    return undisturbed;
  }

  private static OnePartition wide(long checkpointSlots, long stateEvery) {
    Plan plan = SmallLearner.plan(Mechanisms.BLT, BATCH, 1e6).toBuilder()
        .dimension(WEIGHTS)
        .build();
    return partition(plan, checkpointSlots, stateEvery);
  }

  private static OnePartition narrow(long checkpointSlots, long stateEvery) {
    return partition(SmallLearner.plan(Mechanisms.BLT, BATCH, 1e6), checkpointSlots, stateEvery);
  }

  /** Pages of every array hold weights of both. */
  @Test
  void publishTheSameBitsUnderFaults() {
    assertThat(wide(9, 2).runWithFaults(2, 60).published()).isEqualTo(undisturbed());
  }

  /** Every stored page, one at a time: lost, an older one, or another's. */
  @Test
  void noticeEveryPageThatIsNotOfTheCommit() {
    OnePartition partition = wide(5, 1).go(6 * BATCH + 5);
    Map<String, byte[]> old = new TreeMap<>(partition.arrays);
    partition.go(5 * BATCH + 4);
    Map<String, byte[]> now = new TreeMap<>(partition.arrays);
    List<String> open =
        now.keySet().stream().filter(key -> key.startsWith("open/")).toList();
    assertThat(open).hasSizeGreaterThan(1);
    assertThat(now.keySet())
        .contains("prefix/1/model", "noise/0/model", "redrawn/0/model", "open-mark/model");
    int stale = 0;
    for (String key : now.keySet()) {
      requireNoticed(partition, now, key, null);
      if (!Arrays.equals(old.get(key), now.get(key))) {
        requireNoticed(partition, now, key, old.get(key));
        stale++;
      }
      byte[] longer = Arrays.copyOf(now.get(key), now.get(key).length + 1);
      requireNoticed(partition, now, key, longer);
    }
    assertThat(stale).isGreaterThanOrEqualTo(now.size() - 1);
    requireNoticed(partition, now, open.get(0), now.get(open.get(1)));
    partition.arrays.putAll(now);
    assertThat(partition.run().published()).isEqualTo(undisturbed());
  }

  private static void requireNoticed(
      OnePartition partition, Map<String, byte[]> now, String key, byte[] value) {
    partition.arrays.clear();
    partition.arrays.putAll(now);
    if (value == null) {
      partition.arrays.remove(key);
    } else {
      partition.arrays.put(key, value);
    }
    assertThatThrownBy(() -> partition.go(1))
        .as(key)
        .isInstanceOf(TransientException.class)
        .hasMessageContaining("do not agree");
  }

  /** As a damaged file leaves them: RocksDB does not look. */
  @Test
  void noticeEveryPageThatIsDamaged() {
    OnePartition partition = narrow(5, 1).go(11 * BATCH + 9);
    Map<String, byte[]> now = new TreeMap<>(partition.arrays);
    for (String key : now.keySet()) {
      int length = now.get(key).length;
      for (int at : new int[] {0, 9, 20, length / 2, length - 33, length - 1}) {
        byte[] damaged = now.get(key).clone();
        int place = Math.min(length - 1, Math.max(0, at));
        damaged[place] ^= 1;
        partition.arrays.clear();
        partition.arrays.putAll(now);
        partition.arrays.put(key, damaged);
        if (key.startsWith("noise/") && place < 8) {
          continue; // the name of the key that opens it, which is tried all the same
        }
        assertThatThrownBy(() -> partition.go(1))
            .as(key + " at " + place)
            .isInstanceOf(TransientException.class)
            .hasMessageFindingMatch("do not agree|is damaged");
      }
    }
    String first = "noise/0/model";
    byte[] named = now.get(first).clone();
    named[0] ^= 1;
    partition.arrays.clear();
    partition.arrays.putAll(now);
    partition.arrays.put(first, named);
    assertThat(partition.run().published()).isEqualTo(narrow(1000, 1).run().published());
  }

  @Test
  void leaveNothingOfAnOpenRoundThatHasClosed() {
    OnePartition partition = narrow(5, 1).go(6);
    assertThat(partition.arrays.keySet()).anyMatch(key -> key.startsWith("open"));
    partition.go(BATCH - 6);
    assertThat(partition.heads).containsKey("state/model").doesNotContainKey("open/model");
    assertThat(partition.arrays.keySet()).noneMatch(key -> key.startsWith("open"));
  }

  private static OnePartition generations(long checkpointSlots) {
    Plan plan = SmallLearner.plan(
        Mechanisms.BLT.make(),
        BATCH,
        1e6,
        new Participation.Once(),
        new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5),
        null);
    return partition(plan, checkpointSlots, 1);
  }

  /** The weights at which a generation begins stay what they are until the next. */
  @Test
  void writeTheIteratesOnceAGeneration() {
    OnePartition partition = generations(1000);
    List<String> puts = watchPuts(partition);
    partition.run();
    assertThat(partition.ledger()).hasSize(ROUNDS);
    assertThat(puts).filteredOn("iterates/0/model"::equals).hasSize(ROUNDS / 5);
    assertThat(puts).filteredOn("prefix/0/model"::equals).hasSize(ROUNDS);
  }

  /**
   * Each piece is a transaction of its own; a large state in each would take longer than reading it.
   */
  @Test
  void areNotWrittenAtEveryPieceOfAGap() {
    OnePartition partition = narrow(1000, 100);
    partition.readLimit = 1;
    partition.go(5 * BATCH + 3);
    List<String> puts = watchPuts(partition);
    partition.run();
    assertThat(partition.pieces).isGreaterThan(5 * BATCH);
    assertThat(puts).isEmpty();
    assertThat(partition.published()).isEqualTo(narrow(1000, 1).run().published());
  }

  /** The keys of large state that are written from the next life on. */
  private static List<String> watchPuts(OnePartition partition) {
    List<String> puts = new ArrayList<>();
    partition.atRest = (name, table) -> name.equals(Names.LEARNER) ? watched(table, puts) : table;
    return puts;
  }

  private static StateTable watched(StateTable table, List<String> puts) {
    return new PassingTable(table) {
      @Override
      public void put(String key, byte[] value) {
        puts.add(key);
        super.put(key, value);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"partition", "model/model", "state/model", "open/model"})
  void refuseAStateOfALaterVersion(String record) {
    OnePartition partition = narrow(5, 1).go(2 * BATCH + 6);
    partition.heads.get(record)[5]++; // of the schema's fingerprint
    if (record.startsWith("open")) {
      partition.arrays.put("open-mark/model", Sha256.sha256(partition.heads.get(record)));
    }
    assertThatThrownBy(() -> partition.go(1))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("a schema this version does not know")
        .hasMessageContaining("./sotto reset");
  }
}
