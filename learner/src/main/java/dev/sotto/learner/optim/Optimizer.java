package dev.sotto.learner.optim;

import dev.sotto.learner.release.NoisySum;

/**
 * Turns noisy answers into weights, and says at which points gradients are asked for next. It sees questions and noisy
 * answers, never examples: whatever it does is post-processing, and costs no privacy. Immutable.
 */
public interface Optimizer {
  /** Where it stands before the first round. */
  Course start(int dimension);

  /**
   * Where it stood after some round.
   *
   * @param iterates what {@link Course#iterates()} was then
   * @param latest the noisy prefix of the generation then; null where the next round begins another generation
   */
  Course resume(int dimension, double[] iterates, NoisySum latest);

  /** Whether each round but a generation's first also asks at the point of the round before. */
  default boolean isRecursive() {
    return false;
  }

  /**
   * The factor eta_t of the gradient at the point of round t of its generation. Where the algorithm
   * {@link #isRecursive}, the gradient of the same example at the point of the round before, times that round's factor,
   * is taken away from it, and the difference is clipped.
   *
   * @param t from 1
   */
  default double scale(long t) {
    return 1;
  }
}
