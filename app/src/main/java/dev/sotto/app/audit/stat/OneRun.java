package dev.sotto.app.audit.stat;

/**
 * What right guesses about canaries prove: a lower bound on epsilon. Steinke, Nasr, Jagielski, "Privacy Auditing
 * with One (1) Training Run" (2023), Theorem 5.2.
 *
 * <p>m canaries are in or out of the data by a fair coin each; from what is released an auditor guesses r of the
 * coins and abstains from the others. Let W be binomial of r trials with chance e^eps / (1 + e^eps), the accuracy
 * of randomised response, and f(v) = P[W >= v]. Under (eps, delta)-differential privacy
 *
 * <pre>
 * P[at least v guesses are right] <= f(v) + 2 m delta max over i in 1..m of (f(v - i) - f(v)) / i
 * </pre>
 *
 * <p>Why: the number of right guesses is stochastically at most W + F, where F in 0..m counts canaries for which
 * delta fails, and E[F] <= 2 m delta. Given F = i the bound is f(v - i), which lies below the steepest chord from
 * (0, f(v)); the expectation of that chord is the right-hand side.
 */
public final class OneRun {
  private static final double SLACK = 1 + 1e-9; // above the rounding of the sums
  private static final double LARGEST = 64;
  private static final int CELLS = 64;

  private OneRun() {}

  /**
   * How likely so many right guesses are under (epsilon, delta)-differential privacy, at most.
   *
   * @param canaries m, at least the guesses
   * @param guesses r, decided before the coins are known
   * @param right v, at most r
   */
  public static double pValue(int canaries, int guesses, int right, double epsilon, double delta) {
    if (!(0 <= right && right <= guesses && guesses <= canaries)) {
      throw new IllegalArgumentException("right, guesses and canaries must ascend from 0, but were "
          + right + ", " + guesses + ", " + canaries);
    }
    if (!(epsilon >= 0) || !(delta >= 0 && delta <= 1)) {
      throw new IllegalArgumentException(
          "epsilon must be at least 0 and delta between 0 and 1, but were " + epsilon + " and "
              + delta);
    }
    Binomial law = new Binomial(guesses, 1 / (1 + StrictMath.exp(-epsilon)));
    double alone = law.atLeast(right);
    double steepest = 0;
    // Beyond i = right f(v - i) stays 1 while i grows.
    for (int i = 1; delta > 0 && i <= right; i++) {
      steepest = Math.max(steepest, (law.atLeast(right - i) - alone) / i);
    }
    return Math.min(1, SLACK * (alone + 2 * canaries * delta * steepest));
  }

  /**
   * The least epsilon that so many right guesses leave possible: the true one is smaller with probability at most
   * {@code risk}. 0 where nothing is proved.
   *
   * <p>The search goes upwards from 0 and ends at the first epsilon that cannot be refuted, so that the bound stays
   * valid even where the p-value should not be monotone.
   */
  public static double epsilonLower(
      int canaries, int guesses, int right, double delta, double risk) {
    if (!(risk > 0 && risk < 1)) {
      throw new IllegalArgumentException("risk must be above 0 and below 1, but was " + risk);
    }
    double most = Math.min(LARGEST, reach(guesses, right));
    double low = 0;
    double step = most / CELLS;
    if (pValue(canaries, guesses, right, 0, delta) > risk) {
      return 0;
    }
    while (low < most && pValue(canaries, guesses, right, low + step, delta) <= risk) {
      low += step;
    }
    double high = low + step;
    for (int i = 0; i < 40; i++) {
      double middle = (low + high) / 2;
      if (pValue(canaries, guesses, right, middle, delta) <= risk) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Somewhere above any epsilon that could be refuted: the accuracy itself, with one more miss taken away. */
  private static double reach(int guesses, int right) {
    double misses = Math.max(guesses - right, 0) + 1e-3;
    return Math.max(0.01, StrictMath.log((right + 1) / misses) + 1);
  }
}
