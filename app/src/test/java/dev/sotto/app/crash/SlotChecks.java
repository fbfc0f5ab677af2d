package dev.sotto.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a ledger says of the records that went into its rounds. */
public final class SlotChecks {
  private SlotChecks() {}

  /**
   * Every committed record lies in one round, and every round has exactly its nominal slots.
   *
   * @param ledger of models that live in one partition each
   * @param slots the offsets of the committed records that the trainer read, by partition
   */
  public static void check(List<LedgerEntry> ledger, Map<Integer, List<Long>> slots, int batch) {
    Map<Integer, Integer> done = new HashMap<>();
    for (LedgerEntry entry : ledger) {
      OffsetRange range = entry.ranges().get(0);
      List<Long> offsets = slots.get(range.partition());
      int from = done.getOrDefault(range.partition(), 0);
      int to = from + batch;
      assertThat(range.from()).isEqualTo(offsets.get(from));
      assertThat(range.to()).isEqualTo(offsets.get(to - 1) + 1);
      done.put(range.partition(), to);
    }
    slots.forEach(
        (partition, offsets) -> assertThat(offsets.size() - done.getOrDefault(partition, 0))
            .as("slots of partition %d in the open round", partition)
            .isBetween(0, batch - 1));
  }
}
