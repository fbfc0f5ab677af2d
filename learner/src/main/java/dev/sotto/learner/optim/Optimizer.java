package dev.sotto.learner.optim;

import dev.sotto.learner.release.NoisySum;

/**
 * Turns noisy answers into weights. It sees questions and noisy answers, never examples: whatever it does is
 * post-processing, and costs no privacy.
 */
public interface Optimizer {
  /** Writes the weights before the first round. */
  void start(double[] weights);

  /**
   * Writes the weights after the rounds of an answer.
   *
   * @param answer the noisy prefix after {@link NoisySum#round()} rounds of the generation
   * @param anchor the weights at which a later generation began; empty in the first, which began at
   *     {@link #start}
   * @param weights as many as the answer has coordinates
   */
  void tell(NoisySum answer, double[] anchor, double[] weights);
}
