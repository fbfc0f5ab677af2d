package dev.sotto.learner.accounting;

import dev.sotto.learner.example.NormalTail;

/**
 * Pure epsilon-differential privacy, seen as mu-GDP. The worst mechanism of
 * a given pure epsilon is randomised response, so what holds for it holds for all (Kairouz, Oh and
 * Viswanath 2015).
 *
 * <p>Promises: the same bits everywhere; all results err upwards only.
 */
public final class PureDp {
  private static final double SLACK = 0x1p-48;

  private PureDp() {}

  /**
   * The smallest mu for which every mechanism of this pure epsilon is mu-GDP: 2 Phi^-1(e^pure / (1
   * + e^pure)), to a relative 1e-12 from above.
   *
   * <p>Randomised response has the trade-off function with the corners (0, 1), (c, c) and (1, 0), c
   * = 1 / (1 + e^pure). That of a Gaussian is convex, so it lies below as soon as it does at the
   * corners: Phi(-mu/2) at most c.
   *
   * @param pure at least 0, or infinite
   */
  public static double mu(double pure) {
    checkPure(pure);
    if (pure == 0 || pure == Double.POSITIVE_INFINITY) {
      return pure;
    }
    double low = pure <= 1 ? pure : 0;
    double high = pure <= 1 ? 2 * pure : 2 * StrictMath.sqrt(2 * (pure + 1));
    for (double middle = low + (high - low) / 2; middle > low && middle < high; ) {
      if (covers(middle, pure)) {
        high = middle;
      } else {
        low = middle;
      }
      middle = low + (high - low) / 2;
    }
    return high;
  }

  /** Whether Phi(-mu/2) is at most 1 / (1 + e^pure) for certain, rounding errors and all. */
  private static boolean covers(double mu, double pure) {
    if (pure <= 1) { // as 2 Phi(mu/2) - 1 = delta(0), at least tanh(pure/2)
      double target = StrictMath.log(StrictMath.tanh(pure / 2));
      return GaussianDp.logDelta(mu, 0) >= target + 0x1p-43 - 0x1p-51 * target;
    }
    double tail = NormalTail.logDensity(mu / 2) + StrictMath.log(NormalTail.mills(mu / 2));
    return tail <= -(pure + StrictMath.log1p(StrictMath.exp(-pure))) * (1 + SLACK);
  }

  private static void checkPure(double pure) {
    if (!(pure >= 0)) {
      throw new IllegalArgumentException("pure epsilon must be at least 0, but was " + pure);
    }
  }
}
