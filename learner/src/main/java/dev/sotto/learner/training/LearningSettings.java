package dev.sotto.learner.training;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.Optimizer;
import java.util.Objects;

/**
 * How it is learned.
 *
 * @param algorithm name of the optimizer
 * @param steps the optimizer's settings in their canonical text, in one line
 * @param optimizer turns noisy sums into weights
 * @param batch slots in a round, the nominal B by which sums are divided
 * @param lag 0, or 1 where the gradients of a round are taken before the answer of the one before
 *     it is known: at the point after round {@code r - 1 - lag}
 * @param versions when what was learned is published
 */
public record LearningSettings(
    String algorithm,
    String steps,
    Optimizer optimizer,
    long batch,
    int lag,
    VersionSchedule versions) {
  /** The queries of a round: those of the algorithm's block, or one that reads all slots. */
  QuerySchedule block() {
    return optimizer.block().orElseGet(() -> QuerySchedule.onePass(1, batch));
  }

  public LearningSettings {
    ModelSettings.oneLine("algorithm", algorithm);
    ModelSettings.oneLine("steps", steps);
    Objects.requireNonNull(optimizer, "optimizer");
    Objects.requireNonNull(versions, "versions");
    if (batch < 1) {
      throw new IllegalArgumentException("batch must be at least 1, but was " + batch);
    }
    if (lag < 0 || lag > 1) {
      throw new IllegalArgumentException("lag must be 0 or 1, but was " + lag);
    }
  }
}
