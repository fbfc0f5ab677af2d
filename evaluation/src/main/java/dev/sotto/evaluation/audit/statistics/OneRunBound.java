package dev.sotto.evaluation.audit.statistics;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * A lower bound on epsilon from the number of right guesses about canaries. Steinke, Nasr,
 * Jagielski, "Privacy Auditing with One (1) Training Run" (2023), Theorem 5.2.
 *
 * <p>Each of m canaries is in or out of the data by a fair coin. From what is released an auditor
 * guesses r of the coins and abstains from the others. Let W be binomial with r trials and chance
 * e^eps / (1 + e^eps), the accuracy of randomised response, and f(v) = P[W >= v]. Under
 * (eps, delta)-differential privacy
 *
 * <pre>
 * P[at least v guesses are right] <= f(v) + 2 m delta max over i in 1..m of (f(v - i) - f(v)) / i
 * </pre>
 *
 * <p>Proof: the number of right guesses is stochastically at most W + F, where F in 0..m counts the
 * canaries for which delta fails, and E[F] <= 2 m delta. Given F = i the bound is f(v - i). It lies
 * below the steepest chord from (0, f(v)); the expectation of that chord is the right-hand side.
 */
public final class OneRunBound {
  private static final double SLACK = 1 + 1e-9; // above the rounding of the sums
  private static final double LARGEST = 64;
  private static final int CELLS = 64;

  private OneRunBound() {}

  /**
   * An upper bound of the probability of at least {@code right} right guesses under
   * (epsilon, delta)-differential privacy.
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
    BinomialDistribution correct =
        BinomialDistribution.of(guesses, 1 / (1 + StrictMath.exp(-epsilon)));
    double alone = correct.survivalProbability(right - 1);
    double steepest = delta > 0 ? steepest(correct, right) : 0;
    return Math.min(1, SLACK * (alone + 2 * canaries * delta * steepest));
  }

  /**
   * The largest (f(right - i) - f(right)) / i. It is the mean of the i probabilities below
   * {@code right}. These rise towards the mode and fall behind it, so that the mean is largest
   * before the first one below it. Beyond i = right, f(right - i) stays 1 while i grows.
   */
  private static double steepest(BinomialDistribution correct, int right) {
    double sum = 0;
    for (int i = 1; i <= right; i++) {
      double next = correct.probability(right - i);
      if (next * (i - 1) < sum) {
        return sum / (i - 1);
      }
      sum += next;
    }
    return right == 0 ? 0 : sum / right;
  }

  /**
   * The smallest epsilon under which this number of right guesses is possible. The true epsilon is
   * smaller with probability at most {@code risk}. 0 where nothing is proved.
   *
   * <p>The search goes upwards from 0 and ends at the first epsilon that is not refuted. So the
   * bound is valid even where the p-value is not monotone.
   */
  public static double epsilonLower(
      int canaries, int guesses, int right, double delta, double risk) {
    if (!(risk > 0 && risk < 1)) {
      throw new IllegalArgumentException("risk must be above 0 and below 1, but was " + risk);
    }
    double most = Math.min(LARGEST, searchLimit(guesses, right));
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

  /** Above any epsilon that can be refuted: the log-odds of a right guess with one miss fewer. */
  private static double searchLimit(int guesses, int right) {
    double misses = Math.max(guesses - right, 0) + 1e-3;
    return Math.max(0.01, StrictMath.log((right + 1) / misses) + 1);
  }
}
