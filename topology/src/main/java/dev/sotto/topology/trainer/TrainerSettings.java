package dev.sotto.topology.trainer;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.LearnerSettings;
import java.time.Duration;

/**
 * What one trainer needs to know.
 *
 * @param app application id, a part of the name of the run
 * @param run what is learned
 * @param originKeyId name of the noise key under which the run began, where that is known before
 *     its first round; null for the key in force
 * @param source where from
 * @param readTimeLimit for how long records are read again without a commit in between
 * @param cadence how often state is written
 */
public record TrainerSettings(
    String app,
    LearnerSettings.Run run,
    String originKeyId,
    Source source,
    Duration readTimeLimit,
    Cadence cadence) {
  /**
   * The partition that is read.
   *
   * @param partition its number
   * @param topicId id of its topic
   * @param routing where records' models come from, and over how many partitions
   * @param eventTopicId id of the event topic whose slots the source announces; empty where it
   *     holds them
   */
  public record Source(int partition, String topicId, String routing, String eventTopicId) {
    /** A source that holds the slots. */
    public Source(int partition, String topicId, String routing) {
      this(partition, topicId, routing, "");
    }

    /** Whether the source announces slots that lie elsewhere. */
    public boolean isOrder() {
      return !eventTopicId.isEmpty();
    }
  }

  Plan plan() {
    return run.plan();
  }

  Plan planOf(String modelId) {
    return run.planOf(modelId);
  }

  NoiseKey key() {
    return run.key();
  }

  RunName runName() {
    return new RunName(app, run.label());
  }

  int partition() {
    return source.partition();
  }

  String topicId() {
    return source.topicId();
  }

  String routing() {
    return source.routing();
  }

  long checkpointSlots() {
    return cadence.checkpointSlots();
  }

  long modelBytes() {
    return cadence.modelBytes();
  }

  long stateEvery() {
    return cadence.stateEvery();
  }
}
