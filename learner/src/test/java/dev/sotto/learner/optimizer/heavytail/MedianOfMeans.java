package dev.sotto.learner.optimizer.heavytail;

import java.util.Arrays;

/**
 * A baseline for private means (Algorithm 12): slots are cut into groups by position, the same for
 * all coordinates; values are clipped to [-width, width], summed by group; each coordinate's median
 * of the group sums gets noise, and is divided by the size of a group. One slot moves one group's
 * sum by at most {@code 2 width}, and a median by no more than that.
 *
 * @param width tau, positive
 * @param groups m, which divides the slots; where it is odd a median is one of the sums
 * @param size of what is averaged
 */
public record MedianOfMeans(double width, long groups, BlockSize size) {
  public MedianOfMeans {
    if (!(width > 0) || width == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("width must be positive and finite, but was " + width);
    }
    if (groups < 1 || size.slots() % groups != 0) {
      throw new IllegalArgumentException(
          "groups must divide the slots " + size.slots() + ", but were " + groups);
    }
  }

  /** m of Lemma 57 for a failure probability: {@code ceil(20 ln(4 d / zeta))}. */
  public static long groups(int dimension, double failure) {
    return (long) Math.ceil(20 * StrictMath.log(4 * dimension / failure));
  }

  /** How far the median of the group sums moves in l2 when one slot changes: 2 sqrt(d) tau. */
  public double sensitivityOfSums() {
    return 2 * Math.sqrt(size.dimension()) * width;
  }

  /** The same of the medians of group means: 2 sqrt(d) tau m / s. */
  public double sensitivity() {
    return sensitivityOfSums() * groups / size.slots();
  }

  /** The standard deviation of the noise of the medians of group means. */
  public double noise() {
    return sensitivity() / size.mu();
  }

  /**
   * The medians of the group means without noise; with an even number of groups the mean of the two
   * in the middle. It is private: nothing may leave without noise.
   *
   * @param values one vector a slot, in the order of the slots
   */
  double[] exact(double[][] values) {
    int count = (int) groups;
    int each = values.length / count;
    double[] medians = new double[size.dimension()];
    for (int j = 0; j < medians.length; j++) {
      double[] means = new double[count];
      for (int i = 0; i < count * each; i++) {
        double value = values[i][j];
        means[i / each] += Double.isFinite(value) ? Math.max(-width, Math.min(width, value)) : 0;
      }
      Arrays.sort(means);
      medians[j] = (means[(count - 1) / 2] + means[count / 2]) / 2 / each;
    }
    return medians;
  }
}
