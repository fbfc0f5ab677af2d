package dev.sotto.learner.optimizer;

/**
 * A query that counts lengths of gradients: every example adds a vector along one axis, whose
 * length is the clip, for the bin in which the norm of its gradient lies. Bin 0 ends at the lowest
 * edge, every other one is twice as long as the one before, and the last has no end. A gradient of
 * zero, or one that is not finite, is in none.
 *
 * @param lowest edge, positive and finite: where bin 1 begins
 * @param all number of bins, at least 2
 * @param first bin that this query counts, on the first axis
 * @param count of bins that it counts, at least 1: at most the number of weights
 */
public record NormBins(double lowest, int all, int first, int count) implements GradientMap {
  public NormBins {
    if (!(lowest > 0) || lowest == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "the lowest edge must be positive and finite, but was " + lowest);
    }
    if (first < 0 || count < 1 || first + (long) count > all) {
      throw new IllegalArgumentException(
          "bins must be some of " + all + ", but were " + count + " from " + first);
    }
  }

  /** The axis of a norm, from 0; -1 where this query does not count it. */
  public int axis(double norm) {
    if (!(norm > 0) || norm == Double.POSITIVE_INFINITY) {
      return -1;
    }
    int bin = 0;
    for (double edge = lowest; bin < all - 1 && norm >= edge; edge *= 2) {
      bin++;
    }
    return bin >= first && bin < first + count ? bin - first : -1;
  }

  /** All of it as numbers. */
  public double[] numbers() {
    return new double[] {lowest, all, first, count};
  }
}
