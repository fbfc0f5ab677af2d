package dev.sotto.topology.status;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One model of this instance as of the last commit. What a round has cost follows from its number
 * and the plan alone.
 *
 * @param modelId the model
 * @param round the last round that was paid for, 0 before the first
 * @param roundAge since that round was committed here, or since the task began here if it closed
 *     none yet
 * @param openSlots slots filled in the open round; empty while the model is not in memory
 * @param snapshot the last version published
 */
public record ModelStatus(
    String modelId,
    long round,
    Duration roundAge,
    OptionalLong openSlots,
    Optional<Snapshot> snapshot) {
  /**
   * A version that this instance has published since the task began here.
   *
   * @param round whose weights it holds
   * @param age since it was committed
   */
  public record Snapshot(long round, Duration age) {}
}
