package dev.sotto.learner.optimizer;

import dev.sotto.learner.release.NoisySum;

/** One model's way through an {@link Optimizer}. Not safe for use by several threads. */
public interface OptimizerState {
  /** What is published: a buffer that the next call changes. */
  double[] weights();

  /**
   * Where the gradients of the round after the last answer are taken: a buffer that the next call
   * changes.
   */
  double[] point();

  /** Takes the answer of one more round. */
  void tell(NoisySum answer);

  /**
   * Begins another generation, warm at the weights: the next answer is the first of another prefix.
   */
  void restart();

  /**
   * The vectors of its own that a restart of the process needs, one after the other; the caller's
   * to keep.
   */
  double[] iterates();
}
