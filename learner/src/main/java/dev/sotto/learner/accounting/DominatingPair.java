package dev.sotto.learner.accounting;

/**
 * Two distributions that no output of a mechanism on neighbouring inputs is easier to tell apart
 * than: P with a unit's data, Q without. All accountants start from one.
 *
 * <p>Dominating is meant in the order of Blackwell: for every e^epsilon the hockey-stick divergence
 * of the outputs, both ways round, is at most that of the pair. It survives post-processing and
 * adaptive composition: the product of the pairs dominates the transcript (Zhu, Dong and Wang 2022,
 * "Optimal Accounting of Differential Privacy via Characteristic Function").
 */
public sealed interface DominatingPair {
  /** Whether both distributions are the same one. */
  boolean isNothing();

  /** N(mu, 1) and N(0, 1): dominates every mu-GDP mechanism. */
  record Gaussian(double mu) implements DominatingPair {
    public Gaussian {
      checkSize("mu", mu);
    }

    @Override
    public boolean isNothing() {
      return mu == 0;
    }
  }

  /**
   * A coin of bias 1 / (1 + e^-epsilon) and its mirror: dominates all that is purely epsilon-DP.
   */
  record RandomizedResponse(double epsilon) implements DominatingPair {
    public RandomizedResponse {
      checkSize("epsilon", epsilon);
    }

    @Override
    public boolean isNothing() {
      return epsilon == 0;
    }
  }

  /**
   * (1 - rate) N(0, sigma^2) + rate N(1, sigma^2) and N(0, sigma^2): a sum of vectors of l2 norm at
   * most 1, each taken with probability rate by secret coins of its own, plus noise. The only pair
   * here that is not its own mirror; accountants take the worse of both orders. For adding,
   * removing or zeroing one vector, not for replacing it.
   *
   * @param rate from 0 to 1
   * @param noiseMultiplier sigma, positive and finite: noise per coordinate over the norm bound
   */
  record SampledGaussian(double rate, double noiseMultiplier) implements DominatingPair {
    public SampledGaussian {
      if (!(rate >= 0 && rate <= 1)) {
        throw new IllegalArgumentException("rate must be from 0 to 1, but was " + rate);
      }
      if (!(noiseMultiplier > 0) || noiseMultiplier == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "noiseMultiplier must be positive and finite, but was " + noiseMultiplier);
      }
    }

    @Override
    public boolean isNothing() {
      return rate == 0;
    }

    /** ln(1 - rate + rate e^((x - 1/2) / sigma^2)), the logarithm of P over Q at x. */
    double loss(double x) {
      double tilt = (x - 0.5) / (noiseMultiplier * noiseMultiplier);
      if (tilt < 30) {
        return StrictMath.log1p(rate * StrictMath.expm1(tilt));
      }
      double log = tilt + StrictMath.log(rate);
      return log + StrictMath.log1p((1 - rate) * StrictMath.exp(-log));
    }

    /** The x of a {@link #loss}; minus infinity at and below ln(1 - rate). */
    double place(double loss) {
      double odds = loss < 30
          ? StrictMath.log1p(Math.max(-1, StrictMath.expm1(loss) / rate))
          : loss + StrictMath.log1p(-(1 - rate) * StrictMath.exp(-loss)) - StrictMath.log(rate);
      return 0.5 + noiseMultiplier * noiseMultiplier * odds;
    }
  }

  private static void checkSize(String name, double size) {
    if (!(size >= 0) || size == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(name + " must be at least 0 and finite, but was " + size);
    }
  }
}
