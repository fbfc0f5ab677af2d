package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ContributionBound;

/**
 * Noise from a binary tree in which every dyadic block of rounds is a node, with the variance
 * reduction of Honaker (2015) from the leaves up: the noise of a block is estimated by the best
 * mean of the block's own noise and the sum of its two halves' estimates, and a prefix sums the
 * estimates of its binary decomposition. The same price as {@link BinaryTree} for one
 * participation, half the variance in the long run.
 *
 * <p>With v_h the variance of an estimate of 2^h rounds, v_0 = 1 and 1/v_h = 1 + 1/(2 v_(h-1)), so
 * that v_h = 1 / (2 - 2^-h); the block's own noise has the weight v_h, the halves 1 - v_h. A prefix
 * tells less than all its nodes do, so the sensitivities are upper bounds: those of a release of
 * every node.
 *
 * <p>Promises: each node's noise is drawn once, in the round that completes it and from that
 * round's digest; a restart at any round goes on with the same bits.
 */
final class HonakerTree extends Mechanism {
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
  public double sensitivity(long rounds, ContributionBound bound) {
    return TreeSensitivity.of(true, rounds, bound);
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
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

  @Override
  public double largestPrefixVariance(long rounds) {
    return largestOfBits(rounds);
  }

  /*
   * A round that ends a block of 2^j replaces the estimates of the j smaller blocks before it, of
   * sum A. With own the block's own noise, the change is v own - v A + (1 - v) times what the
   * change would have been one level lower; that one's covariance with A is followed too.
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

  /**
   * There are more nodes than prefixes, and only prefixes are released. With L L^T the covariance
   * of their noise (Cholesky), the prefixes are as good as {@code L^-1 A g + w} with white w: C is
   * {@code L^-1 A}. A participation moves less there than in all nodes, which the ledger counts.
   */
  @Override
  public double[][] matrix(int rounds) {
    double[][] nodes = new double[rounds][];
    double[][] lower = new double[rounds][];
    double[][] rows = new double[rounds][];
    for (int t = 0; t < rounds; t++) {
      nodes[t] = nodeWeights(t + 1);
      lower[t] = new double[t + 1];
      for (int s = 0; s <= t; s++) {
        double left = dot(nodes[s], nodes[t]) - dot(lower[s], s, lower[t]);
        lower[t][s] = s < t ? left / lower[s][s] : Math.sqrt(left);
      }
      rows[t] = new double[t + 1];
      for (int column = 0; column <= t; column++) {
        double left = 1;
        for (int s = column; s < t; s++) {
          left -= lower[t][s] * rows[s][column];
        }
        rows[t][column] = left / lower[t][t];
      }
    }
    return rows;
  }

  /**
   * The weights of the nodes in a prefix's noise; the node of 2^h rounds up to e is number 2 e -
   * bits(e) - h - 1.
   */
  private static double[] nodeWeights(int rounds) {
    double[] weights = new double[2 * rounds - Integer.bitCount(rounds)];
    for (int end = rounds; end > 0; end -= Integer.lowestOneBit(end)) {
      addEstimate(end, Integer.numberOfTrailingZeros(end), 1, weights);
    }
    return weights;
  }

  private static void addEstimate(int end, int level, double share, double[] weights) {
    double own = variance(level);
    // 2 (e - 1) - bits(e - 1) nodes are complete before round e; in it, one more than e has zeros.
    weights[2 * (end - 1) - Integer.bitCount(end - 1) + level] += own * share;
    if (level > 0) {
      addEstimate(end, level - 1, (1 - own) * share, weights);
      addEstimate(end - (1 << level - 1), level - 1, (1 - own) * share, weights);
    }
  }

  private static double dot(double[] shorter, double[] longer) {
    return dot(shorter, shorter.length, longer);
  }

  private static double dot(double[] one, int length, double[] other) {
    double sum = 0;
    for (int i = 0; i < length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  @Override
  public NoiseState start() {
    return new HonakerNoiseState();
  }

  @Override
  public NoiseState resume(PagedBytes state) {
    return new HonakerNoiseState(state);
  }
}
