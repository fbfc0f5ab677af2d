package dev.sotto.learner.monitoring;

import dev.sotto.learner.training.NoisyMetrics;

/**
 * Whether the loss in one window of metrics is certainly below that in another one of the same run.
 *
 * <p>A window that ends with round R has bounds that both hold with probability at least 1 - RATE /
 * (R (R + 1)) ({@link LossBounds}). So with probability at least 1 - RATE all bounds of all windows
 * of a run hold at once, and whatever windows are compared, however they were chosen, the one that
 * is called better has the lower expected loss. The windows hold different examples: what is
 * compared is how well the model of the time predicted the examples of the time.
 *
 * @param firstRound of the window
 * @param lastRound of the window
 * @param low a lower bound of the expected loss; -infinity where nothing is known
 * @param mean the mean loss; NaN where nothing is known
 * @param high the most that the expected loss is; infinity where nothing is known
 */
public record LossInterval(long firstRound, long lastRound, double low, double mean, double high) {
  /** The probability that any comparison in the life of a run is wrong. */
  public static final double RATE = 0.01;

  /** The bounds of one window, in units of the loss. */
  public static LossInterval of(NoisyMetrics window) {
    LossBounds bounds = LossBounds.of(window);
    double unit = window.lossBound();
    if (!bounds.isKnown()) {
      return new LossInterval(
          window.firstRound(),
          window.lastRound(),
          Double.NEGATIVE_INFINITY,
          Double.NaN,
          Double.POSITIVE_INFINITY);
    }
    double round = window.lastRound();
    double radius = bounds.radius(RATE / 2 / (round * (round + 1)));
    return new LossInterval(
        window.firstRound(),
        window.lastRound(),
        unit * (bounds.mean() - radius),
        unit * bounds.mean(),
        unit * (bounds.mean() + radius));
  }

  /** Whether the loss here is below that of another window, beyond noise and chance. */
  public boolean isBetterThan(LossInterval other) {
    return high < other.low;
  }

  /** Whether a version was reached in this window. */
  public boolean holds(long version) {
    return firstRound <= version && version <= lastRound;
  }
}
