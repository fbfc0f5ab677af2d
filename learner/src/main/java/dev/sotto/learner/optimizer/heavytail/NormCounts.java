package dev.sotto.learner.optimizer.heavytail;

/**
 * What noisy counts of gradients' norms say about the clip: it should cut a given number of the
 * block's gradients, and only as much is believed as the noise allows. Bins are one octave wide,
 * from 9 octaves below the clip to one above, with a bin below all and one above all.
 *
 * @param target the number of gradients of a block that a good clip cuts
 * @param deviation standard deviation of the noise of one count
 */
record NormCounts(double target, double deviation) {
  /** Number of bins. */
  static final int BINS = 12;

  /** The lowest edge and the highest, over the clip. */
  static final double LOWEST = 0x1p-9;

  private static final double HIGHEST = 2;

  /** The largest factor: nothing is known of the norms above the highest edge. */
  private static final double UPWARDS = 8;

  /** Numbers above are taken to fall by no more in an octave. */
  private static final double STEEPEST = 8;

  /**
   * Standard errors by which a number of gradients must exceed the target: the larger, the longer a
   * clip stays too large (docs/experiments/heavy-tails.md, "The clip of a quantile").
   */
  private static final double MARGIN = 2;

  /** Standard errors of a number of gradients before anything is believed: 1e-9 by chance. */
  private static final double PRESENCE = 6;

  NormCounts {
    if (!(target > 0) || target == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("target must be positive and finite, but was " + target);
    }
    if (!(deviation >= 0) || deviation == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "deviation must be finite and not negative, but was " + deviation);
    }
  }

  /**
   * By what the clip is to be multiplied: from 2^-9 to 8, and 1 where noise drowns the counts.
   *
   * @param counts one for each bin, of norms over the clip; any finite numbers
   */
  double factor(double[] counts) {
    double above = 0; // of the edge below bin i
    double before = 0; // of the edge above it
    double squares = 0;
    double found = Double.NaN;
    boolean present = false;
    for (int i = BINS - 1; i >= 0; i--) {
      before = above;
      above += counts[i];
      squares += deviation * deviation;
      double error = Math.sqrt(squares);
      present |= above > PRESENCE * error;
      if (Double.isNaN(found) && above > target + MARGIN * error) {
        found = between(i, above, before);
      }
    }
    return present && !Double.isNaN(found) ? found : 1;
  }

  /** Where in a bin the target lies: numbers above are taken to fall by a power of the norm. */
  private double between(int bin, double above, double before) {
    if (bin == BINS - 1) {
      return Math.min(UPWARDS, HIGHEST * Math.sqrt(above / target)); // as of a power of 2
    }
    if (bin == 0) {
      return LOWEST;
    }
    double least = Math.max(before, target / STEEPEST);
    double goal = Math.max(target, least);
    double place = above > goal ? StrictMath.log(above / goal) / StrictMath.log(above / least) : 1;
    double edge = StrictMath.scalb(HIGHEST, bin - (BINS - 1));
    return edge * StrictMath.pow(2, Math.min(1, place));
  }
}
