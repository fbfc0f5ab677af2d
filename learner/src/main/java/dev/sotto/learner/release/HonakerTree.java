package dev.sotto.learner.release;

import dev.sotto.learner.unit.Contributions;

/**
 * Noise from a binary tree in which every dyadic block of rounds is a node, with the variance reduction of Honaker
 * (2015) from the leaves up: the noise of a block is estimated by the best mean of the block's own noise and the
 * sum of its two halves' estimates, and a prefix sums the estimates of its binary decomposition. The same price
 * as {@link BinaryTree} for one participation, half the variance in the long run.
 *
 * <p>With v_h the variance of an estimate of 2^h rounds, v_0 = 1 and 1/v_h = 1 + 1/(2 v_(h-1)), so that v_h = 1 /
 * (2 - 2^-h); the block's own noise has the weight v_h, the halves 1 - v_h. A prefix tells less than all its
 * nodes do, so the sensitivities are upper bounds: those of a release of every node.
 *
 * <p>Promises: each node's noise is drawn once, in the round that completes it and from that round's digest; a
 * restart at any round goes on with the same bits.
 */
final class HonakerTree implements Mechanism {
  @Override
  public String name() {
    return "binary-tree-honaker";
  }

  /** The variance of the estimate of 2^level rounds, for nodes of variance 1. */
  static double variance(int level) {
    return 1 / (2 - StrictMath.scalb(1.0, -level));
  }

  @Override
  public double sensitivity(long rounds) {
    // The first round lies under one node of each size that is complete by then, and no round under
    // more.
    return Math.sqrt(64 - Long.numberOfLeadingZeros(rounds));
  }

  @Override
  public double sensitivityLimit() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivity(long rounds, Contributions bound) {
    return TreeSensitivity.of(true, rounds, bound);
  }

  @Override
  public double sensitivityLimit(Contributions bound) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double prefixVariance(long rounds) {
    double sum = 0;
    for (long left = rounds; left != 0; left -= Long.lowestOneBit(left)) {
      sum += variance(Long.numberOfTrailingZeros(left));
    }
    return sum;
  }

  /*
   * A round that ends a block of 2^j replaces the estimates of the j smaller blocks before it, of sum A. With own
   * the block's own noise, the change is v own - v A + (1 - v) times what the change would have been one level
   * lower; that one's covariance with A is followed too.
   */
  @Override
  public double incrementVariance() {
    double mean = 0;
    double change = 0;
    double covariance = 0;
    double replaced = 0;
    for (int level = 0; level < 63; level++) {
      double v = variance(level);
      change = v * v * (1 + replaced) + (1 - v) * (1 - v) * change - 2 * v * (1 - v) * covariance;
      covariance = (1 - v) * covariance - v * replaced;
      replaced += v;
      mean += StrictMath.scalb(change, -level - 1);
    }
    return mean;
  }

  @Override
  public NoiseWalk start() {
    return new HonakerWalk();
  }

  @Override
  public NoiseWalk resume(Paged state) {
    return new HonakerWalk(state);
  }
}
