package dev.sotto.evaluation.audit.statistics;

/**
 * Bounds on the error rates of a test that tells two worlds apart, from counts. They hold for any
 * distribution of what the test sees.
 *
 * @param falsePositives upper bound of the rate of "second" in the first world
 * @param falseNegatives upper bound of the rate of "first" in the second world
 */
public record SeparationBound(double falsePositives, double falseNegatives) {
  /**
   * From counts of errors. The two bounds fail together with probability at most {@code risk}.
   *
   * @param errorsInFirst of {@code runs} runs in the first world
   * @param errorsInSecond of {@code runs} runs in the second world
   */
  public static SeparationBound of(int errorsInFirst, int errorsInSecond, int runs, double risk) {
    return new SeparationBound(
        TailProbability.chanceAtMost(errorsInFirst, runs, risk / 2),
        TailProbability.chanceAtMost(errorsInSecond, runs, risk / 2));
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
}
