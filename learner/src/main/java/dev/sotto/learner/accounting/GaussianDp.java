package dev.sotto.learner.accounting;

import dev.sotto.learner.example.NormalTail;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * From mu-GDP to (epsilon, delta) and back: delta = Phi(-epsilon/mu + mu/2) - e^epsilon
 * Phi(-epsilon/mu - mu/2) (Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2019, Corollary 2.13).
 *
 * <p>Promises: the same bits on every machine and Java version; {@link #epsilon} errs upwards only,
 * {@link #mu} downwards only.
 *
 * <table>
 * <caption>Edge cases</caption>
 * <tr><td>mu = 0</td><td>epsilon 0, delta 0</td></tr>
 * <tr><td>mu infinite</td><td>epsilon infinite, delta 1</td></tr>
 * <tr><td>delta = 0, mu above 0</td><td>epsilon infinite: a Gaussian needs a delta</td></tr>
 * <tr><td>2 Phi(mu/2) - 1 at most delta</td><td>epsilon 0</td></tr>
 * </table>
 */
public final class GaussianDp {
  /*
   * With a = epsilon/mu - mu/2 and b = a + mu we have e^epsilon phi(b) = phi(a), hence delta =
   * phi(a) (M(a) - M(b)) with Mills' ratio M: no large factors, and its logarithm exists where
   * delta itself underflows. For a small mu the difference cancels; there it is the integral of -M'
   * over [a, b] by Gauss-Legendre with five nodes, whose error is below 2e-15 up to mu = 1/4.
   */
  private static final double SMALL_MU = 0.25;

  /** Five-point Gauss-Legendre on [-1, 1]: the middle, and two that stand for a pair each. */
  static final double[] NODES = {0, 0.53846931010568309104, 0.90617984593866399280};

  static final double[] WEIGHTS = {
    0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751
  };

  /** Above the rounding error of epsilon = mu (a + mu/2). */
  private static final double SLACK = 0x1p-50;

  private static final int DIGITS = 10;

  private GaussianDp() {}

  /**
   * The smallest epsilon that mu-GDP implies at delta. Never below the exact one; above it by at
   * most a relative 1e-10 wherever epsilon is more than mu/100, by at most 2e-12 mu below that.
   *
   * @param mu at least 0, or infinite
   * @param delta at least 0 and below 1
   */
  public static double epsilon(double mu, double delta) {
    checkMu(mu);
    checkDelta(delta);
    if (mu == 0) {
      return 0;
    }
    if (delta == 0 || mu == Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    double target = safeLog(delta);
    if (logDelta(mu, 0) <= target) {
      return 0;
    }
    return mu * solve(mu, target) * (1 + SLACK);
  }

  /**
   * The root of logDelta(mu, .) = target, from above: Newton from the right, which a concave
   * falling function never oversteps, with bisection where rounding says otherwise.
   */
  private static double solve(double mu, double target) {
    double low = 0;
    double high = StrictMath.sqrt(-2 * target) + mu / 2; // delta <= Phi(-a) <= e^(-a^2/2) / 2
    double atHigh = logDelta(mu, high);
    for (int i = 0; i < 200; i++) {
      double a = high - mu / 2;
      double fall =
          mu * StrictMath.exp(NormalTail.logDensity(a) - atHigh) * NormalTail.mills(high + mu / 2);
      double step = (target - atHigh) / fall;
      if (step <= 0x1p-52 * high) {
        return high;
      }
      double next = high - step;
      if (!(next > low)) {
        next = low + (high - low) / 2;
        if (next <= low || next >= high) {
          return high;
        }
      }
      double atNext = logDelta(mu, next);
      if (atNext <= target) {
        high = next;
        atHigh = atNext;
      } else {
        low = next;
      }
    }
    return high;
  }

  /**
   * The smallest delta that mu-GDP implies at epsilon, to a relative 1e-12 where it is at least
   * 1e-15 and mu at most 50; 0 where it underflows.
   *
   * @param mu at least 0, or infinite
   * @param epsilon at least 0, or infinite
   */
  public static double delta(double mu, double epsilon) {
    checkMu(mu);
    checkEpsilon(epsilon);
    if (mu == 0) {
      return 0;
    }
    if (mu == Double.POSITIVE_INFINITY) {
      return 1;
    }
    return StrictMath.exp(logDelta(mu, epsilon / mu));
  }

  /**
   * The largest mu whose {@link #epsilon}, as computed, is at most the one given; to a relative
   * 1e-13 from below.
   *
   * @param epsilon at least 0, or infinite
   * @param delta at least 0 and below 1
   */
  public static double mu(double epsilon, double delta) {
    checkEpsilon(epsilon);
    checkDelta(delta);
    if (epsilon == Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    if (delta == 0) {
      return 0;
    }
    double target = safeLog(delta);
    double high = 1;
    while (logDelta(high, epsilon / high) <= target) {
      high *= 2;
    }
    double low = high / 2;
    while (low > 0 && logDelta(low, epsilon / low) > target) {
      high = low;
      low /= 2;
    }
    for (double middle = middle(low, high); middle > low && middle < high; ) {
      if (logDelta(middle, epsilon / middle) <= target) {
        low = middle;
      } else {
        high = middle;
      }
      middle = middle(low, high);
    }
    while (epsilon(low, delta) > epsilon) {
      low *= 1 - SLACK;
    }
    return low;
  }

  private static double middle(double low, double high) {
    return low + (high - low) / 2;
  }

  /** The next value at or above epsilon with ten significant decimal digits: what is published. */
  public static double roundUp(double epsilon) {
    return round(epsilon, RoundingMode.FLOOR, RoundingMode.CEILING, 1);
  }

  /** The next value at or below epsilon with ten significant decimal digits. */
  static double roundDown(double epsilon) {
    return round(epsilon, RoundingMode.CEILING, RoundingMode.FLOOR, -1);
  }

  /*
   * The double of a decimal may lie a little to either side of it. The grid is therefore made of
   * the doubles, and a value that is one of them stays: the neighbour on the other side is tried
   * first.
   */
  private static double round(double epsilon, RoundingMode first, RoundingMode then, int sign) {
    checkEpsilon(epsilon);
    if (epsilon == Double.POSITIVE_INFINITY) {
      return epsilon;
    }
    BigDecimal exact = new BigDecimal(epsilon);
    double near = exact.round(new MathContext(DIGITS, first)).doubleValue();
    return sign * near >= sign * epsilon
        ? near
        : exact.round(new MathContext(DIGITS, then)).doubleValue();
  }

  /**
   * ln delta less what {@link #logDelta} may be wrong by (the first term for Mills' ratios, the
   * second for the exponent, the factor since near 1 the error is one of 1 - delta), so that what
   * is solved for lies on the safe side.
   */
  private static double safeLog(double delta) {
    double log = StrictMath.log(delta);
    return log - (1 - delta) * (0x1p-43 - 0x1p-51 * log);
  }

  /** ln delta for mu positive and finite and middle = epsilon / mu, at least 0. */
  static double logDelta(double mu, double middle) {
    double a = middle - mu / 2;
    double b = middle + mu / 2;
    if (a < -1) { // M(a) would overflow; delta is above 1/2 and what it lacks of 1 is easy
      double density = StrictMath.exp(NormalTail.logDensity(a));
      return StrictMath.log1p(-density * (NormalTail.mills(-a) + NormalTail.mills(b)));
    }
    double gap =
        mu < SMALL_MU ? integratedGap(mu, middle) : NormalTail.mills(a) - NormalTail.mills(b);
    return NormalTail.logDensity(a) + StrictMath.log(gap);
  }

  private static double integratedGap(double mu, double middle) {
    double half = mu / 2;
    double sum = WEIGHTS[0] * NormalTail.millsFall(middle);
    for (int i = 1; i < NODES.length; i++) {
      double left = NormalTail.millsFall(middle - half * NODES[i]);
      double right = NormalTail.millsFall(middle + half * NODES[i]);
      sum += WEIGHTS[i] * (left + right);
    }
    return half * sum;
  }

  private static void checkMu(double mu) {
    if (!(mu >= 0)) {
      throw new IllegalArgumentException("mu must be at least 0, but was " + mu);
    }
  }

  private static void checkEpsilon(double epsilon) {
    if (!(epsilon >= 0)) {
      throw new IllegalArgumentException("epsilon must be at least 0, but was " + epsilon);
    }
  }

  private static void checkDelta(double delta) {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be at least 0 and below 1, but was " + delta);
    }
  }
}
