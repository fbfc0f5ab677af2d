package dev.sotto.app.audit.stat;

/** The standard normal law, to a relative 1e-12 in both tails. */
public final class Normal {
  private static final double ROOT_TWO_PI = StrictMath.sqrt(2 * StrictMath.PI);
  private static final double FAR = 3;

  private Normal() {}

  /** P[X <= x]. */
  public static double cdf(double x) {
    return upper(-x);
  }

  /** P[X > x]. */
  public static double upper(double x) {
    if (x < 0) {
      return 1 - upper(-x);
    }
    double density = StrictMath.exp(-0.5 * x * x) / ROOT_TWO_PI;
    if (x < FAR) { // Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...)
      double term = x;
      double sum = x;
      for (int k = 3; term > sum * 0x1p-60; k += 2) {
        term *= x * x / k;
        sum += term;
      }
      return 0.5 - density * sum;
    }
    double fraction = x; // Laplace's continued fraction of Mills' ratio, from its end
    for (int k = 120; k >= 1; k--) {
      fraction = x + k / fraction;
    }
    return density / fraction;
  }

  /**
   * The x with P[X > x] = p.
   *
   * @param p between 0 and 1; 0 gives infinity, 1 minus infinity; from 1e-300
   */
  public static double upperQuantile(double p) {
    if (!(p >= 0 && p <= 1)) {
      throw new IllegalArgumentException("p must be between 0 and 1, but was " + p);
    }
    if (p == 0 || p == 1) {
      return p == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
    if (p > 0.5) {
      return -upperQuantile(1 - p);
    }
    // Newton on the concave ln P[X > x], from the right, where it never oversteps.
    double x = StrictMath.sqrt(Math.max(0, -2 * StrictMath.log(2 * p)));
    for (int i = 0; i < 60; i++) {
      double tail = upper(x);
      double density = StrictMath.exp(-0.5 * x * x) / ROOT_TWO_PI;
      double step = StrictMath.log(p / tail) * tail / density;
      if (!(step > 1e-13)) {
        break;
      }
      x -= step;
    }
    return x;
  }
}
