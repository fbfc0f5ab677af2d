package dev.sotto.learner.accounting;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;

/**
 * rho-zCDP: the Renyi divergence of every order alpha is at most rho alpha (Bun and Steinke 2016).
 *
 * @param rho at least 0 and finite
 */
public record ZeroConcentratedDp(double rho) {
  private static final double SLACK = 0x1p-50;

  public ZeroConcentratedDp {
    if (!(rho >= 0) || rho == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("rho must be at least 0 and finite, but was " + rho);
    }
  }

  /** Of any mu-GDP mechanism: mu^2 / 2 (there is no way back). */
  public static ZeroConcentratedDp ofGaussian(double mu) {
    return new ZeroConcentratedDp(new Gaussian(mu).mu() * mu / 2 * (1 + SLACK));
  }

  /** Of a pure epsilon: epsilon^2 / 2 (Proposition 1.4). */
  public static ZeroConcentratedDp ofPure(double epsilon) {
    return ofGaussian(new RandomizedResponse(epsilon).epsilon()); // the same square
  }

  /** Both on the same units, the second chosen with the outputs of the first in view: rhos add. */
  public ZeroConcentratedDp plus(ZeroConcentratedDp other) {
    return new ZeroConcentratedDp((rho + other.rho) * (1 + SLACK));
  }

  /**
   * As many runs, each chosen with the outputs of those before in view.
   *
   * @param runs at least 0
   */
  public ZeroConcentratedDp times(long runs) {
    if (runs < 0) {
      throw new IllegalArgumentException("runs must be at least 0, but was " + runs);
    }
    return new ZeroConcentratedDp(rho * runs * (1 + SLACK));
  }

  /** The mu of the Gaussian with the same Renyi curve, sqrt(2 rho), rounded up. */
  public double mu() {
    return StrictMath.sqrt(2 * rho) * (1 + SLACK);
  }

  /**
   * An epsilon at delta by way of {@link RenyiDp}: the best that any one order gives.
   *
   * @param delta at least 0 and below 1
   */
  public double epsilon(double delta) {
    return RenyiDp.of(new Gaussian(mu())).epsilon(delta);
  }

  /**
   * rho + 2 sqrt(rho ln(1/delta)) (Proposition 1.3): what papers quote, never below
   * {@link #epsilon}.
   *
   * @param delta above 0 and below 1
   */
  public double simpleEpsilon(double delta) {
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be above 0 and below 1, but was " + delta);
    }
    return (rho + 2 * StrictMath.sqrt(-rho * StrictMath.log(delta))) * (1 + SLACK);
  }
}
