package dev.sotto.evaluation.audit.statistics;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Bounds on the error rates of a test that tells two worlds apart, from counts. They hold for any
 * distribution of what the test sees.
 *
 * @param falsePositives upper bound of the rate of "second" in the first world
 * @param falseNegatives upper bound of the rate of "first" in the second world
 */
public record SeparationBound(double falsePositives, double falseNegatives) {
  private static final int BISECTIONS = 60;

  /**
   * From counts of errors. The two bounds fail together with probability at most {@code risk}.
   *
   * @param errorsInFirst of {@code runs} runs in the first world
   * @param errorsInSecond of {@code runs} runs in the second world
   */
  public static SeparationBound of(int errorsInFirst, int errorsInSecond, int runs, double risk) {
    return new SeparationBound(
        chanceAtMost(errorsInFirst, runs, risk / 2), chanceAtMost(errorsInSecond, runs, risk / 2));
  }

  /** The smallest mu for which mu-GDP allows such errors (Dong, Roth and Su 2019, section 2.2). */
  public double muLower() {
    return Math.max(
        0,
        TailProbability.normalQuantile(falsePositives)
            + TailProbability.normalQuantile(falseNegatives));
  }

  /** The smallest total variation distance of the worlds. */
  public double variationLower() {
    return Math.max(0, 1 - falsePositives - falseNegatives);
  }

  /** The smallest epsilon for which (epsilon, delta)-differential privacy allows such errors. */
  public double epsilonLower(double delta) {
    double one = StrictMath.log((1 - delta - falseNegatives) / falsePositives);
    double other = StrictMath.log((1 - delta - falsePositives) / falseNegatives);
    double larger = Math.max(one, other);
    return larger > 0 ? larger : 0; // NaN: the errors are too large to prove anything
  }

  /**
   * An upper bound of the chance of a hit that is wrong with probability {@code risk}: the largest
   * chance under which at most {@code hits} hits have that probability (Clopper and Pearson 1934).
   */
  static double chanceAtMost(int hits, int trials, double risk) {
    if (hits >= trials) {
      return 1;
    }
    double low = (double) hits / trials;
    double high = 1; // stays on the safe side
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (BinomialDistribution.of(trials, middle).cumulativeProbability(hits) > risk) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
