package dev.sotto.learner.accounting;

/**
 * Exact bounds of a probability from a number of hits (Clopper and Pearson 1934): each is wrong
 * with at most the given chance.
 */
final class ClopperPearson {
  private ClopperPearson() {}

  /** The largest p under which so few hits are not rarer than the chance. */
  static double upper(long hits, long trials, double chance) {
    if (hits == trials) {
      return 1;
    }
    double low = (double) hits / trials;
    double high = 1;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (atMost(hits, trials, middle) > chance) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  static double lower(long hits, long trials, double chance) {
    return 1 - upper(trials - hits, trials, chance);
  }

  /** P(X at most hits), from the largest term down. */
  static double atMost(long hits, long trials, double p) {
    double log = logGamma(trials + 1.0)
        - logGamma(hits + 1.0)
        - logGamma(trials - hits + 1.0)
        + hits * Math.log(p)
        + (trials - hits) * Math.log1p(-p);
    double term = Math.exp(log);
    double sum = 0;
    for (long i = hits; i >= 0 && term > sum * 1e-17; i--) {
      sum += term;
      term *= i * (1 - p) / ((trials - i + 1) * p);
    }
    return Math.min(1, sum);
  }

  /** Stirling's series, behind a recursion up to 20. */
  private static double logGamma(double x) {
    double shift = 0;
    double y = x;
    for (; y < 20; y++) {
      shift -= Math.log(y);
    }
    double z = 1 / (y * y);
    double series = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z / 1680))) / y;
    return shift + (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series;
  }
}
