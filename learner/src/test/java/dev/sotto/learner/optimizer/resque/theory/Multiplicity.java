package dev.sotto.learner.optimizer.resque.theory;

/**
 * How often one slot is drawn where indices are drawn with replacement.
 *
 * @param slots n, at least 2
 * @param draws at least 1
 */
public record Multiplicity(long slots, long draws) {
  /** More than the rounding of a tail's terms. */
  private static final double ROUNDING = 1 + 1e-9;

  public Multiplicity {
    if (slots < 2 || draws < 1) {
      throw new IllegalArgumentException(
          "slots must be at least 2 and draws at least 1, but were " + slots + " and " + draws);
    }
  }

  /** s: the probability that a slot is drawn at all. */
  public double hit() {
    return -StrictMath.expm1(draws * StrictMath.log1p(-1.0 / slots));
  }

  /** Pr[more than b draws of a slot], not less than it is. */
  public double tail(long b) {
    if (b < 0) {
      return 1;
    }
    double odds = 1 / (slots - 1.0);
    double log = draws * StrictMath.log1p(-1.0 / slots);
    for (long j = 0; j <= b; j++) {
      if (j >= draws) {
        return 0;
      }
      log += StrictMath.log((draws - j) / (j + 1.0)) + StrictMath.log(odds);
    }
    double first = StrictMath.exp(log);
    double sum = 0;
    double term = first;
    for (long j = b + 1; j <= draws && term > sum * 0x1p-60; j++) {
      sum += term;
      term *= (draws - j) / (j + 1.0) * odds;
    }
    return Math.min(1, sum * ROUNDING);
  }

  /** The smallest b that is exceeded with probability at most delta. */
  public long quantile(double delta) {
    if (!(delta > 0)) {
      throw new IllegalArgumentException("delta must be positive, but was " + delta);
    }
    long b = 0;
    while (tail(b) > delta) {
      b++;
    }
    return b;
  }

  /** The printed bound of the same, 2 log(2 / delta), for at most one draw on average. */
  public static double printed(double delta) {
    return 2 * StrictMath.log(2 / delta);
  }
}
