package dev.sotto.learner.training;

import dev.sotto.learner.accounting.PrivateMetrics;

/**
 * The noisy metrics of one window of rounds: released under their own share of the budget, and
 * everything computed from them is post-processing. All figures are sums over the window's slots
 * plus noise; they may be negative, and shares of them may lie outside [0, 1].
 *
 * <p>The {@code …Error} of a figure is the standard error that the noise gives it, to first order
 * in noise over count. That of having seen so few examples comes on top.
 *
 * @param firstRound of the window
 * @param lastRound of the window
 * @param slots in the window, usable or not: a position, not a count of examples
 * @param lossBound the loss that counted as 1
 * @param sums loss over lossBound; right; wrong; then 1 - label and label of every bin of the
 *     prediction
 * @param noiseStd standard deviation of the noise of each sum, 0 for exact metrics
 */
public record NoisyMetrics(
    long firstRound, long lastRound, long slots, double lossBound, double[] sums, double noiseStd) {
  /**
   * This window and one after it together, of the same bins and the same bound.
   *
   * @throws IllegalArgumentException where they are not alike
   */
  public NoisyMetrics plus(NoisyMetrics after) {
    if (!isLike(after)) {
      throw new IllegalArgumentException(
          "windows must have the same bins and bound, but have " + bins() + " bins and " + lossBound
              + ", and " + after.bins() + " bins and " + after.lossBound);
    }
    double[] both = sums.clone();
    for (int i = 0; i < both.length; i++) {
      both[i] += after.sums[i];
    }
    return new NoisyMetrics(
        firstRound,
        after.lastRound,
        slots + after.slots,
        lossBound,
        both,
        Math.hypot(noiseStd, after.noiseStd));
  }

  /** Whether another window has the same bins, and losses cut at the same bound. */
  public boolean isLike(NoisyMetrics other) {
    return other.lossBound == lossBound && other.sums.length == sums.length;
  }

  /** Number of bins of the reliability curve. */
  public int bins() {
    return (sums.length - 3) / 2;
  }

  /** The noisy number of examples. */
  public double count() {
    return sums[PrivateMetrics.RIGHT] + sums[PrivateMetrics.WRONG];
  }

  /** Of {@link #count()}, and of {@link #count(int)}: the noise of two sums. */
  public double countError() {
    return Math.sqrt(2) * noiseStd;
  }

  /** The mean loss of an example, each cut at the bound; NaN where the noise leaves no example. */
  public double meanLoss() {
    return count() > 0 ? sums[PrivateMetrics.LOSS] * lossBound / count() : Double.NaN;
  }

  /** Of {@link #meanLoss()}: numerator and denominator have noise of their own. */
  public double meanLossError() {
    double mean = meanLoss();
    return noiseStd / count() * Math.sqrt(lossBound * lossBound + 2 * mean * mean);
  }

  /**
   * The share of examples predicted on the right side of 1/2; NaN where the noise leaves no
   * example.
   */
  public double accuracy() {
    return share(sums[PrivateMetrics.RIGHT], sums[PrivateMetrics.WRONG]);
  }

  /** Of {@link #accuracy()}. */
  public double accuracyError() {
    return shareError(sums[PrivateMetrics.RIGHT], sums[PrivateMetrics.WRONG]);
  }

  /** The noisy number of examples whose prediction lies in a bin. */
  public double count(int bin) {
    return sums[PrivateMetrics.negatives(bin)] + sums[PrivateMetrics.positives(bin)];
  }

  /** The mean label of a bin's examples; NaN where the noise leaves none. */
  public double meanLabel(int bin) {
    return share(sums[PrivateMetrics.positives(bin)], sums[PrivateMetrics.negatives(bin)]);
  }

  /** Of {@link #meanLabel(int)}. */
  public double meanLabelError(int bin) {
    return shareError(sums[PrivateMetrics.positives(bin)], sums[PrivateMetrics.negatives(bin)]);
  }

  private static double share(double part, double rest) {
    double all = part + rest;
    return all > 0 ? part / all : Double.NaN;
  }

  /** d share = (1 - share) d part / all - share d rest / all. */
  private double shareError(double part, double rest) {
    double share = share(part, rest);
    return noiseStd / (part + rest) * Math.sqrt((1 - share) * (1 - share) + share * share);
  }
}
