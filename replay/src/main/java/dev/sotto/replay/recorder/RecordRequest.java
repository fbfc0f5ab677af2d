package dev.sotto.replay.recorder;

import java.util.Set;
import java.util.TreeSet;

/**
 * What of a topic to record.
 *
 * @param from the first record of each partition
 * @param to exclusive, and never after what is committed when recording begins
 * @param partitions empty for all
 */
public record RecordRequest(String topic, RangeBound from, RangeBound to, Set<Integer> partitions) {
  public RecordRequest {
    partitions = Set.copyOf(partitions);
  }

  /** As text, always the same for the same request. */
  @Override
  public String toString() {
    return from + " to " + to
        + (partitions.isEmpty() ? "" : " of partitions " + new TreeSet<>(partitions));
  }
}
