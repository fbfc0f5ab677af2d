package dev.sotto.evaluation.audit.statistics;

import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Probabilities of values far from the middle of a distribution, by Commons Statistics.
 *
 * <p>They are used as they come. Beside other implementations, normal and binomial tails agree to a
 * relative 3e-13 down to 1e-300, and gamma tails to a relative 3e-11 up to a shape of 4 million;
 * the bounds that are computed from them leave at least 1e-9.
 */
public final class TailProbability {
  private static final NormalDistribution STANDARD_NORMAL = NormalDistribution.of(0, 1);

  private TailProbability() {}

  /** P[X > x] of a standard normal variable. */
  public static double normal(double x) {
    return STANDARD_NORMAL.survivalProbability(x);
  }

  /**
   * The x with P[X > x] = p of a standard normal variable.
   *
   * @param p between 0 and 1; 0 gives infinity, 1 minus infinity
   */
  public static double normalQuantile(double p) {
    return STANDARD_NORMAL.inverseSurvivalProbability(p);
  }

  /**
   * The probability that a chi-square variable lies at least as far out as {@code x} on the side
   * where {@code x} lies, doubled.
   *
   * @param x at least 0
   * @param degrees at least 1
   */
  public static double chiSquareTwoSided(double x, long degrees) {
    return gammaTwoSided(x / 2, degrees / 2.0);
  }

  /** The same of a gamma variable of scale 1: a sum of {@code shape} exponential variables. */
  public static double gammaTwoSided(double x, double shape) {
    if (!(x >= 0)) {
      throw new IllegalArgumentException("x must be at least 0, but was " + x);
    }
    GammaDistribution gamma = GammaDistribution.of(shape, 1);
    return twoSided(gamma.cumulativeProbability(x), gamma.survivalProbability(x));
  }

  /** P[W >= count] of a binomial variable. */
  public static double binomial(int count, int trials, double chance) {
    return BinomialDistribution.of(trials, chance).survivalProbability(count - 1);
  }

  /** The probability that a count lies at least as far out on its side, doubled. */
  public static double binomialTwoSided(int count, int trials, double chance) {
    BinomialDistribution binomial = BinomialDistribution.of(trials, chance);
    return twoSided(binomial.cumulativeProbability(count), binomial.survivalProbability(count - 1));
  }

  private static double twoSided(double lower, double upper) {
    return Math.min(1, 2 * Math.min(lower, upper));
  }
}
