package dev.sotto.app.audit.stat;

/**
 * How far two worlds lie apart, proved by counting the errors of a test that tells them apart: no law is assumed.
 *
 * @param falsePositives how often the test said "second" in the first world, at most; fails with the stated risk
 * @param falseNegatives how often it said "first" in the second world, at most
 */
public record Separation(double falsePositives, double falseNegatives) {
  /**
   * From counts of errors; the two bounds fail together with probability at most {@code risk}.
   *
   * @param errorsInFirst of {@code runs} runs in the first world
   * @param errorsInSecond of {@code runs} runs in the second world
   */
  public static Separation of(int errorsInFirst, int errorsInSecond, int runs, double risk) {
    return new Separation(
        Binomial.chanceAtMost(errorsInFirst, runs, risk / 2),
        Binomial.chanceAtMost(errorsInSecond, runs, risk / 2));
  }

  /** The least mu for which mu-GDP allows such errors (Dong, Roth and Su 2019, section 2.2). */
  public double muLower() {
    return Math.max(0, Normal.upperQuantile(falsePositives) + Normal.upperQuantile(falseNegatives));
  }

  /** The least total variation distance of the worlds. */
  public double variationLower() {
    return Math.max(0, 1 - falsePositives - falseNegatives);
  }

  /** The least epsilon for which (epsilon, delta)-differential privacy allows such errors. */
  public double epsilonLower(double delta) {
    double one = StrictMath.log((1 - delta - falseNegatives) / falsePositives);
    double other = StrictMath.log((1 - delta - falsePositives) / falseNegatives);
    double larger = Math.max(one, other);
    return larger > 0 ? larger : 0; // NaN: errors too large to say anything
  }
}
