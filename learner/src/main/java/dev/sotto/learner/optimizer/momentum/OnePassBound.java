package dev.sotto.learner.optimizer.momentum;

import dev.sotto.learner.mechanism.MomentumTree;

/**
 * Bounds of the mean gradient norm in one pass over a stream of independent examples
 * (docs/momentum.md, "Settings"), and what minimises them. They serve utility only.
 *
 * @param known of loss and noise; the clip also bounds the deviation of one gradient
 * @param batch B, slots of a round
 * @param slots T B, that a stream is planned for
 */
public record OnePassBound(Landscape known, long batch, long slots) {
  private static final int FINEST = 14; // alpha is 2^-14 or more

  public OnePassBound {
    if (batch < 1 || slots < batch) {
      throw new IllegalArgumentException(
          "batch must be at least 1 and at most the slots, but were " + batch + " and " + slots);
    }
  }

  private double rounds() {
    return (double) slots / batch;
  }

  /** Length of the steps that minimises the bound: {@code sqrt(R alpha / (2 L T))}. */
  public double momentumStep(double alpha) {
    return Math.sqrt(known.gap() * alpha / (2 * known.smoothness() * rounds()));
  }

  /**
   * The five terms of the bound of momentum, after Tran and Cutkosky's analysis but for independent
   * examples: path and lag, curvature, sampling, noise, start.
   */
  public double[] momentumTerms(double alpha) {
    double rounds = rounds();
    double clip = known.clip();
    return new double[] {
      2 * Math.sqrt(2 * known.gap() * known.smoothness() / (alpha * rounds)),
      known.smoothness() * momentumStep(alpha) / 2,
      2 * clip * Math.sqrt(alpha / batch),
      2 * known.noiseNorm() * alpha * tree(alpha) / batch,
      2 * clip / (alpha * rounds)
    };
  }

  /** Lambda(alpha): the price of a tree, and the variance of its sums. */
  private static double tree(double alpha) {
    return MomentumTree.endless(1 - alpha, 0.0).energy();
  }

  /** The alpha that minimises the bound, a power of two from 2^-14 to 1. */
  public double momentumAlpha() {
    return least(alpha -> sum(momentumTerms(alpha)));
  }

  /**
   * Length of the steps with which a sum that forgets at a rate remembers gradients taken at most
   * {@code C / L} away: {@code rate C / L}. It is longer than the bound's, whose worst case rarely
   * comes (docs/experiments/momentum.md, "Defaults").
   */
  public double step(double rate) {
    return rate * known.clip() / known.smoothness();
  }

  private static double least(java.util.function.DoubleUnaryOperator bound) {
    double best = 1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i <= FINEST; i++) {
      double each = StrictMath.scalb(1.0, -i);
      double value = bound.applyAsDouble(each);
      if (value < least) {
        least = value;
        best = each;
      }
    }
    return best;
  }

  private static double sum(double[] terms) {
    double sum = 0;
    for (double each : terms) {
      sum += each;
    }
    return sum;
  }
}
