package dev.sotto.learner.mechanism;

import java.util.Arrays;

/**
 * How far participations move the nodes of a {@link MomentumTree}, in l2 and in units of what one
 * moves its leaf by.
 *
 * @param beta decay of the sum from one leaf to the next
 * @param rounding the charge e
 * @param top the level K of the longest nodes
 */
record DecayedTreeCost(double beta, double rounding, int top) {
  // Upwards by far more than powers, sums and roots can lose.
  private static final double UP = 1 + 0x1p-40;

  private double factor(long lag) {
    return StrictMath.pow(beta, lag);
  }

  /**
   * V of an endless tree. Let u = t - 1. Leaf t lies in a used node of level b below K exactly
   * where bit b of u is 0, and always in one of level K. That node ends {@code sum of 2^i over the
   * zero bits i < b of u} leaves after t. So the j-th used level, in ascending order, has a lag of
   * at least 2^0 + ... + 2^(j-2) = 2^(j-1) - 1, and there are at most K + 1.
   */
  double endlessEnergy() {
    double sum = 0;
    for (int b = 0; b <= top; b++) {
      double weight = factor((1L << b) - 1) + rounding;
      sum += weight * weight;
    }
    return sum;
  }

  /** V of the tree of a block, exactly: that of its worst batch. */
  double blockEnergy(long batches, long passes) {
    int leaves = Math.toIntExact(batches * passes);
    int width = Math.toIntExact(batches);
    double[] weight = new double[1 << top];
    for (int lag = 0; lag < weight.length; lag++) {
      weight[lag] = factor(lag) + rounding;
    }
    double[] all = new double[width];
    double[] inNode = new double[width];
    for (int level = 0; level <= top; level++) {
      int length = 1 << level;
      int stride = level == top ? length : 2 * length; // left halves, or all of the longest
      for (int end = length; end <= leaves; end += stride) {
        int from = end - length; // the first leaf, from 0
        for (int lag = 0; lag < length; lag++) {
          inNode[(end - 1 - lag) % width] += weight[lag];
        }
        for (int i = from; i < Math.min(end, from + width); i++) {
          double sum = inNode[i % width];
          all[i % width] += sum * sum;
          inNode[i % width] = 0;
        }
      }
    }
    return Arrays.stream(all).max().getAsDouble();
  }

  /**
   * An upper bound of the square for k leaves of one unit, any two at least b apart, over V. Let
   * v_i be the vector of what leaf i moves, node by node: f_i + e, f_i = beta^(z - t_i).
   *
   * <ul>
   *   <li>{@code |sum v_i| <= sum |v_i|}: the square is at most k^2 V.
   *   <li>It is the sum over i of {@code <v_i, sum_j v_j>}, so at most k times the largest sum over
   *       j of {@code <v_i, v_j>}. Two leaves g apart share only nodes of levels l >= l0 =
   *       floor(log2 g) + 1, at most 2^K long. Of the later leaf j, these add up to at most {@code
   *       R(l0) = sum over i = 0..K - l0 of (beta^(2^l0 (2^i - 1)) + e)^2}, as V does, since the
   *       second of its used levels from l0 on has a lag of 2^l0 at least. There {@code f_i =
   *       beta^g f_j}, so that {@code <v_i, v_j> <= beta^g R(l0) + e M}, where M is the sum of
   *       (beta^(2^b - 1) + e) over b = 0..K, and 0 from g = 2^K on. It falls with g; the j-th
   *       nearest other leaf is at least ceil(j / 2) b away.
   * </ul>
   *
   * @param energy V
   */
  double endlessSquare(double energy, long participations, long separation) {
    double k = participations;
    long others = participations - 1;
    long nearest = others / 2;
    double sum = energy + 2 * shared(nearest, separation);
    if (others % 2 == 1) {
      sum += shared(nearest + 1, separation) - shared(nearest, separation);
    }
    return Math.min(k * k, UP * UP * k * Math.max(1, sum / energy));
  }

  /** The bound of the sum of {@code <v_i, v_j>} over leaves at b, 2b, ... count b from one leaf. */
  private double shared(long count, long separation) {
    double sum = 0;
    double charge = 0;
    for (int b = 0; b <= top; b++) {
      charge += factor((1L << b) - 1) + rounding;
    }
    for (int level = 1; level <= top; level++) {
      // The gaps from 2^(level - 1) to 2^level - 1.
      long first = ((1L << level - 1) - 1) / separation + 1;
      long last = Math.min(count, ((1L << level) - 1) / separation);
      if (first > last) {
        continue;
      }
      double energyFrom = 0;
      for (int i = 0; i <= top - level; i++) {
        double weight = factor((1L << level) * ((1L << i) - 1)) + rounding;
        energyFrom += weight * weight;
      }
      double ratio = factor(separation);
      double powers = ratio == 0
          ? 0
          : (factor(first * separation) - factor((last + 1) * separation)) / (1 - ratio);
      // 1 - ratio may be as small as 2^-20, so that powers can be wrong by 2^-30 of themselves.
      sum += (1 + 0x1p-28) * powers * energyFrom + (last - first + 1) * rounding * charge;
    }
    return sum;
  }
}
