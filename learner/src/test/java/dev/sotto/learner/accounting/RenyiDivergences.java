package dev.sotto.learner.accounting;

/**
 * Renyi divergences of order alpha above 1 in closed form (Mironov 2017, "Renyi Differential
 * Privacy", Table II), written so that nothing cancels; rounded up.
 */
final class RenyiDivergences {
  private static final double SLACK = 0x1p-47;

  private RenyiDivergences() {}

  /** Of N(mu, 1) from N(0, 1): alpha mu^2 / 2. */
  static double gaussian(double mu, double order) {
    return mu == 0 ? 0 : order * mu * mu / 2 * (1 + SLACK);
  }

  /**
   * Of Laplace(epsilon, 1) from Laplace(0, 1): ln(w e^((alpha-1) epsilon) + (1 - w) e^(-alpha
   * epsilon)) / (alpha - 1) with w = alpha / (2 alpha - 1). As a log-sum-exp it is convex in
   * epsilon and 0 at 0, so a shift that is split over coordinates costs no more.
   */
  static double laplace(double epsilon, double order) {
    if (order == Double.POSITIVE_INFINITY) {
      return epsilon;
    }
    double rise = (order - 1) * epsilon;
    double fall = -order * epsilon;
    double weight = order / (2 * order - 1);
    double log;
    if (rise < 1) { // the first-order terms of both exponentials cancel exactly
      double rest = (order - 1) / (2 * order - 1);
      log = StrictMath.log1p(weight * expm1MinusSelf(rise) + rest * expm1MinusSelf(fall));
    } else {
      log = rise + StrictMath.log(weight + (1 - weight) * StrictMath.exp(fall - rise));
    }
    return Math.min(epsilon, log / (order - 1) * (1 + SLACK));
  }

  /**
   * Of a coin of bias 1 / (1 + e^-epsilon) from its mirror: the sum of p^alpha (1-p)^(1-alpha) both
   * ways is 1 + (e^(alpha epsilon) - 1) (1 - e^(-(alpha-1) epsilon)) / (1 + e^epsilon).
   */
  static double randomizedResponse(double epsilon, double order) {
    if (order == Double.POSITIVE_INFINITY) {
      return epsilon;
    }
    double rise = (order - 1) * epsilon;
    double log;
    if (rise + epsilon < 500) {
      double above = StrictMath.expm1(rise + epsilon) * -StrictMath.expm1(-rise);
      log = StrictMath.log1p(above / (1 + StrictMath.exp(epsilon)));
    } else {
      log = rise
          + StrictMath.log1p(StrictMath.exp(-2 * rise - epsilon))
          - StrictMath.log1p(StrictMath.exp(-epsilon));
    }
    return Math.min(epsilon, log / (order - 1) * (1 + SLACK));
  }

  /** e^x - 1 - x, at least 0. */
  static double expm1MinusSelf(double x) {
    if (Math.abs(x) > 0.5) {
      return StrictMath.expm1(x) - x;
    }
    double term = x * x / 2;
    double sum = term;
    for (int k = 3; k < 20; k++) {
      term *= x / k;
      sum += term;
    }
    return sum;
  }
}
