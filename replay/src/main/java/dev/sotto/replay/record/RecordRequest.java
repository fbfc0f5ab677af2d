package dev.sotto.replay.record;

import java.util.Set;
import java.util.TreeSet;

/**
 * What of a topic to record.
 *
 * @param from the first record of each partition
 * @param to behind the last one, and never beyond what is committed when recording begins
 * @param partitions empty for all
 */
public record RecordRequest(String topic, Bound from, Bound to, Set<Integer> partitions) {
  public RecordRequest {
    partitions = Set.copyOf(partitions);
  }

  /** In words, always the same for the same request. */
  @Override
  public String toString() {
    return from + " to " + to
        + (partitions.isEmpty() ? "" : " of partitions " + new TreeSet<>(partitions));
  }
}
