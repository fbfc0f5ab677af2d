package dev.sotto.learner.example;

/**
 * The scaled upper tail of the standard normal, M(x) = Phi(-x) / phi(x) (Mills' ratio), which
 * neither over- nor underflows for x >= 0. {@code StrictMath} only, so the same bits everywhere.
 *
 * <p>M(x) = sqrt(pi/2) erfcx(x / sqrt 2), with erfcx from the rational Chebyshev approximations of
 * W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), as
 * in his CALERF of 1990. Relative error below 1e-15.
 */
public final class NormalTail {
  private static final double LOG_SQRT_TWO_PI = 0.91893853320467274178;
  private static final double SQRT_HALF_PI = 1.2533141373155002512;
  private static final double SQRT_HALF = 0.70710678118654752440;
  private static final double ONE_BY_SQRT_PI = 0.56418958354775628695;

  // Highest power first. ERF: x <= 0.46875, MID: x <= 4, FAR: beyond, in 1/x^2.
  private static final double[] ERF_TOP = {
    1.85777706184603153e-1,
    3.16112374387056560e0,
    1.13864154151050156e2,
    3.77485237685302021e2,
    3.20937758913846947e3
  };
  private static final double[] ERF_BOTTOM = {
    1, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3
  };
  private static final double[] MID_TOP = {
    2.15311535474403846e-8,
    5.64188496988670089e-1,
    8.88314979438837594e0,
    6.61191906371416295e1,
    2.98635138197400131e2,
    8.81952221241769090e2,
    1.71204761263407058e3,
    2.05107837782607147e3,
    1.23033935479799725e3
  };
  private static final double[] MID_BOTTOM = {
    1,
    1.57449261107098347e1,
    1.17693950891312499e2,
    5.37181101862009858e2,
    1.62138957456669019e3,
    3.29079923573345963e3,
    4.36261909014324716e3,
    3.43936767414372164e3,
    1.23033935480374942e3
  };
  private static final double[] FAR_TOP = {
    1.63153871373020978e-2,
    3.05326634961232344e-1,
    3.60344899949804439e-1,
    1.25781726111229246e-1,
    1.60837851487422766e-2,
    6.58749161529837803e-4
  };
  private static final double[] FAR_BOTTOM = {
    1,
    2.56852019228982242e0,
    1.87295284992346725e0,
    5.27905102951428412e-1,
    6.05183413124413191e-2,
    2.33520497626869185e-3
  };

  private NormalTail() {}

  /** ln phi(x), phi the standard normal density. */
  public static double logDensity(double x) {
    return -0.5 * x * x - LOG_SQRT_TWO_PI;
  }

  /** Phi(-x) / phi(x); for any x above -37, below which it overflows. */
  public static double mills(double x) {
    if (x < 0) {
      return StrictMath.exp(-logDensity(x)) - mills(-x);
    }
    return SQRT_HALF_PI * scaledErfc(x * SQRT_HALF);
  }

  /** Phi(x), within 2^-49. */
  public static double probability(double x) {
    double tail = StrictMath.exp(logDensity(x)) * mills(Math.abs(x));
    return x < 0 ? tail : 1 - tail;
  }

  /**
   * -M'(x) = 1 - x M(x), above 0, for x above -37. Beyond 5, where the difference would cancel,
   * from the continued fraction M(x) = 1/(x + 1/(x + 2/(x + ...))) without its first step.
   */
  public static double millsFall(double x) {
    double mills = mills(x);
    if (x < 5) {
      return 1 - x * mills;
    }
    double tail = x;
    for (int k = 60; k >= 2; k--) {
      tail = x + k / tail;
    }
    return mills / tail;
  }

  /** e^(x^2) erfc(x) for x >= 0. */
  private static double scaledErfc(double x) {
    double square = x * x;
    if (x <= 0.46875) {
      double erf = x * polynomial(ERF_TOP, square) / polynomial(ERF_BOTTOM, square);
      return StrictMath.exp(square) * (1 - erf);
    }
    if (x <= 4) {
      return polynomial(MID_TOP, x) / polynomial(MID_BOTTOM, x);
    }
    double z = 1 / square;
    return (ONE_BY_SQRT_PI - z * polynomial(FAR_TOP, z) / polynomial(FAR_BOTTOM, z)) / x;
  }

  private static double polynomial(double[] coefficients, double x) {
    double sum = 0;
    for (double coefficient : coefficients) {
      sum = sum * x + coefficient;
    }
    return sum;
  }
}
