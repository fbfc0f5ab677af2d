package dev.sotto.learner.round;

/**
 * The noisy metrics of one window of rounds: released under their own share of the budget, and everything computed
 * from them is post-processing. All figures are sums over the window's slots plus noise; they may be negative.
 *
 * @param firstRound of the window
 * @param lastRound of the window
 * @param slots in the window, usable or not: a position, not a count of examples
 * @param lossBound the loss that counted as 1
 * @param sums loss over lossBound; correct; then count and labels of every bin of the prediction
 * @param noiseStd standard deviation of the noise of each sum
 */
public record NoisyMetrics(
    long firstRound, long lastRound, long slots, double lossBound, double[] sums, double noiseStd) {
  /** Number of bins of the reliability curve. */
  public int bins() {
    return (sums.length - 2) / 2;
  }

  /** The noisy number of examples. */
  public double count() {
    double count = 0;
    for (int bin = 0; bin < bins(); bin++) {
      count += sums[2 + 2 * bin];
    }
    return count;
  }

  /** The mean loss of an example, each cut at the bound; NaN where the noise leaves no example. */
  public double meanLoss() {
    return count() > 0 ? sums[0] * lossBound / count() : Double.NaN;
  }

  /** The share of examples predicted on the right side of 1/2; NaN where the noise leaves no example. */
  public double accuracy() {
    return count() > 0 ? sums[1] / count() : Double.NaN;
  }

  /** The noisy number of examples whose prediction lies in a bin. */
  public double count(int bin) {
    return sums[2 + 2 * bin];
  }

  /** The mean label of a bin's examples; NaN where the noise leaves none. */
  public double meanLabel(int bin) {
    return count(bin) > 0 ? sums[3 + 2 * bin] / count(bin) : Double.NaN;
  }
}
