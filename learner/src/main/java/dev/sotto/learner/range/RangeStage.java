package dev.sotto.learner.range;

import java.util.Arrays;

/**
 * A stage of a window in which ranges are measured: what a value counts as, and what noisy counts
 * show. A function of what is published alone, but for the value.
 */
public enum RangeStage {
  /** By octaves. */
  OCTAVES,
  /** Over the range that the octaves have shown. */
  REFINED,
  /** Over the refined range. */
  LAST;

  /** In which bin a number is that counts in none. */
  public static final int NOWHERE = -1;

  /** How many bins there are for each number. */
  public int bins() {
    return this == OCTAVES ? OctaveBins.COUNT : RefiningBins.COUNT;
  }

  /**
   * The bin of a number; {@link #NOWHERE} where it is not finite, or has no range to be refined.
   *
   * @param before what the stages before have shown
   */
  public int bin(NumberRange before, double x) {
    if (!Double.isFinite(x)) {
      return NOWHERE;
    }
    if (this == OCTAVES) {
      return OctaveBins.of(x);
    }
    return before.state() == NumberRange.State.MEASURED
        ? RefiningBins.around(before).of(x)
        : NOWHERE;
  }

  /**
   * What noisy counts show of a number.
   *
   * @param before what the stages before have shown
   * @param counts of all numbers, one after the other
   * @param which of the numbers
   * @param sigma standard deviation of the noise of a count
   */
  public NumberRange range(NumberRange before, double[] counts, int which, double sigma) {
    double[] own = Arrays.copyOfRange(counts, which * bins(), (which + 1) * bins());
    if (this == OCTAVES) {
      return OctaveBins.range(own, sigma);
    }
    return before.state() == NumberRange.State.MEASURED
        ? RefiningBins.around(before).range(own, sigma, this == LAST)
        : before;
  }
}
