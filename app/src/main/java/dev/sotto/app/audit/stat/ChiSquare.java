package dev.sotto.app.audit.stat;

/** Tails of the gamma law, and with them of chi-square: both to a relative 1e-8 up to a shape of a million. */
public final class ChiSquare {
  private static final int MOST_STEPS = 1_000_000;

  private ChiSquare() {}

  /**
   * How likely a chi-square variable lies at least as far out on the side where {@code x} lies, doubled.
   *
   * @param x at least 0
   * @param degrees at least 1
   */
  public static double twoSided(double x, long degrees) {
    return gammaTwoSided(x / 2, degrees / 2.0);
  }

  /** The same of a gamma variable of scale 1: a sum of {@code shape} exponentials. */
  public static double gammaTwoSided(double x, double shape) {
    double lower = gammaLower(x, shape);
    return Math.min(1, 2 * Math.min(lower, x > shape ? gammaUpper(x, shape) : 1 - lower));
  }

  /** P[G <= x] of a gamma variable of scale 1. */
  public static double gammaLower(double x, double shape) {
    check(x, shape);
    return x < shape + 1 ? series(x, shape) : 1 - fraction(x, shape);
  }

  /** P[G > x] of a gamma variable of scale 1. */
  public static double gammaUpper(double x, double shape) {
    check(x, shape);
    return x < shape + 1 ? 1 - series(x, shape) : fraction(x, shape);
  }

  private static void check(double x, double shape) {
    if (!(x >= 0) || !(shape > 0)) {
      throw new IllegalArgumentException(
          "x must be at least 0 and the shape positive, but were " + x + " and " + shape);
    }
  }

  private static double series(double x, double shape) {
    if (x == 0) {
      return 0;
    }
    double term = 1 / shape;
    double sum = term;
    for (int k = 1; k < MOST_STEPS && term > sum * 0x1p-54; k++) {
      term *= x / (shape + k);
      sum += term;
    }
    return sum * scale(x, shape);
  }

  /** Legendre's continued fraction by Lentz's method. */
  private static double fraction(double x, double shape) {
    double b = x + 1 - shape;
    double c = 1e300;
    double d = 1 / b;
    double product = d;
    for (int k = 1; k < MOST_STEPS; k++) {
      double a = -k * (k - shape);
      b += 2;
      d = 1 / (a * d + b);
      c = b + a / c;
      double factor = d * c;
      product *= factor;
      if (Math.abs(factor - 1) < 0x1p-50) {
        break;
      }
    }
    return product * scale(x, shape);
  }

  /** x^shape e^-x / Gamma(shape), without its large factors: x is near the shape where it matters. */
  private static double scale(double x, double shape) {
    double off = (x - shape) / shape;
    double exponent = Math.abs(off) < 0.1
        ? shape * log1pMinus(off)
        : shape * StrictMath.log(x / shape) - (x - shape);
    return StrictMath.exp(exponent - LogFactorial.stirlingError(shape))
        * StrictMath.sqrt(shape / (2 * StrictMath.PI));
  }

  /** ln(1 + u) - u for small u. */
  private static double log1pMinus(double u) {
    double power = u * u;
    double sum = 0;
    for (int k = 2; k < 40; k++) {
      sum -= (k % 2 == 0 ? 1 : -1) * power / k;
      power *= u;
    }
    return sum;
  }
}
