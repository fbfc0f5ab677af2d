package dev.sotto.learner.optimizer;

import dev.sotto.learner.release.NoisySum;

/** One model's way through an {@link Optimizer}. Not safe for use by several threads. */
public interface OptimizerState {
  /** What is published: a buffer that the next call changes. */
  double[] weights();

  /**
   * Where the gradients of the round after the last answer are taken, the weights if nothing else:
   * a buffer that the next call changes.
   */
  default double[] point() {
    return weights();
  }

  /**
   * The point with which the next query of a block compares, or the offset from {@link #point()} at
   * which its path begins; null where it has neither. A buffer that the next call changes.
   */
  default double[] earlier() {
    return null;
  }

  /**
   * The query of the block that is asked next, from 1; 1 where a round is one query. It is part of
   * {@link #iterates()}.
   */
  default long query() {
    return 1;
  }

  /**
   * The factor of the gradients of the next query beside {@link Optimizer#scale}: the clip of the
   * plan over that which earlier blocks have released. It follows from answers alone, and is part
   * of {@link #iterates()}.
   */
  default double gradientFactor() {
    return 1;
  }

  /** Takes the answer of one more round, or of one more query of a block. */
  void tell(NoisySum answer);

  /** Goes on behind a query of a block that only read its slots, and is not answered. */
  default void unanswered() {}

  /**
   * Begins another generation, warm at the weights: the next answer is the first of another prefix.
   */
  void restart();

  /**
   * The vectors of its own that a restart of the process needs, one after the other; the caller's
   * to keep.
   */
  double[] iterates();

  /** Leaves large arrays to the next state that this thread makes; no use afterwards. */
  default void recycle() {}
}
