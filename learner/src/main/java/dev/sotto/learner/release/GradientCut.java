package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.GradientNorm;

/**
 * The cut on which the guarantee rests where a gradient is added to a {@link ClippedSum}: the
 * factor that brings it within the clip; 0 where the gradient is not finite, so that it counts as
 * an absent one, or where no norm of it could be trusted. A {@link MedianOfSums} and a
 * {@link PathSum} have cuts of their own.
 *
 * @param inside the clip, a little less for what is rounded
 */
record GradientCut(GradientNorm norm, double inside) {
  private static final double LEAST_NORM = 0x1p-960; // below it a norm is itself badly rounded
  private static final double LEAST_FACTOR =
      0x1p-240; // in an outer product, whose norm is then exact enough

  /** Whether neither a factor nor the norm of what it multiplies is infinite or NaN. */
  static boolean isFinite(double factor, double norm) {
    return Math.abs(factor) < Double.POSITIVE_INFINITY && norm < Double.POSITIVE_INFINITY;
  }

  /** What a vector of some norm is multiplied with: the slope, or less where that is too long. */
  double factor(double slope, double norm) {
    double most = inside / norm;
    // A subnormal factor, too, has lost the digits that keep the bound: a norm near 1e308 under a
    // small clip.
    if (!isFinite(slope, norm) || norm < LEAST_NORM || most < Double.MIN_NORMAL) {
      return 0;
    }
    if (Math.abs(slope) <= most) {
      return slope;
    }
    return slope > 0 ? most : -most;
  }

  /**
   * What the outer product of two vectors, and a tail behind it, are multiplied with: at most 1.
   *
   * @param rows norm of the one vector
   * @param features norm of the other
   * @param tail norm of the tail
   */
  double factor(double rows, double features, double tail) {
    boolean flat = isFlat(rows, features);
    if (!flat && !(isPlain(features) && isPlain(rows)) || tail != 0 && !isPlain(tail)) {
      return 0;
    }
    double product = flat ? 0 : rows * features;
    double length =
        norm == GradientNorm.L2 ? Math.sqrt(product * product + tail * tail) : product + tail;
    if (length == 0) {
      return 0;
    }
    double factor = Math.min(1, inside / length);
    return factor >= LEAST_FACTOR ? factor : 0;
  }

  /** Whether an outer product is zero. */
  static boolean isFlat(double rows, double features) {
    return features == 0 || rows == 0;
  }

  private static boolean isPlain(double norm) {
    return norm >= LEAST_FACTOR && norm <= 1 / LEAST_FACTOR;
  }
}
