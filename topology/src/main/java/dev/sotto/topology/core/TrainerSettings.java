package dev.sotto.topology.core;

import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import java.time.Duration;

/**
 * What one trainer needs to know.
 *
 * @param plan the mechanism
 * @param key the noise key
 * @param label names the run; a new label is a new run
 * @param partition the source partition
 * @param topicId id of the source topic
 * @param routing where records' models come from, and over how many partitions
 * @param slice for how long records are read again without a commit in between
 * @param checkpointSlots after so many slots without a saved position a checkpoint is written
 * @param stateEvery large state is written at every so many closes
 * @param releaseEvery a snapshot is published at every so many closes, and at the last
 * @param originKeyId name of the noise key under which the run began, where that is known before its first round; null
 *     for the key in force
 */
public record TrainerSettings(
    Plan plan,
    NoiseKey key,
    String label,
    int partition,
    String topicId,
    String routing,
    Duration slice,
    long checkpointSlots,
    long stateEvery,
    long releaseEvery,
    String originKeyId) {
  public TrainerSettings {
    if (checkpointSlots < 1 || stateEvery < 1 || releaseEvery < 1) {
      throw new IllegalArgumentException(
          "checkpointSlots, stateEvery and releaseEvery must be at least 1, but were "
              + checkpointSlots + ", " + stateEvery + ", " + releaseEvery);
    }
  }

  /** Settings of a run that begins under the key in force. */
  public TrainerSettings(
      Plan plan,
      NoiseKey key,
      String label,
      int partition,
      String topicId,
      String routing,
      Duration slice,
      long checkpointSlots,
      long stateEvery,
      long releaseEvery) {
    this(
        plan,
        key,
        label,
        partition,
        topicId,
        routing,
        slice,
        checkpointSlots,
        stateEvery,
        releaseEvery,
        null);
  }

  /** The same for a run that began under a key. */
  public TrainerSettings withOrigin(String keyId) {
    return new TrainerSettings(
        plan,
        key,
        label,
        partition,
        topicId,
        routing,
        slice,
        checkpointSlots,
        stateEvery,
        releaseEvery,
        keyId);
  }
}
