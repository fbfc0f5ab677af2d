package dev.sotto.app.audit.stat;

/** What Stirling's formula lacks: ln Gamma(n + 1) = (n + 1/2) ln n - n + ln(2 pi)/2 + error(n). */
final class LogFactorial {
  private static final double HALF_LOG_TWO_PI = 0.5 * StrictMath.log(2 * StrictMath.PI);
  private static final int NEAR = 16;

  private LogFactorial() {}

  /** The error, to an absolute 1e-15. */
  static double stirlingError(double n) {
    if (n >= NEAR) {
      double s = 1 / (n * n);
      return (1 / 12.0 - s * (1 / 360.0 - s * (1 / 1260.0 - s * (1 / 1680.0 - s / 1188)))) / n;
    }
    // Up by Gamma(n + 2) = (n + 1) Gamma(n + 1) to where the series holds.
    double product = 0;
    double x = n;
    while (x < NEAR) {
      x++;
      product += StrictMath.log(x);
    }
    double there = (x + 0.5) * StrictMath.log(x) - x + stirlingError(x);
    return there - product - ((n + 0.5) * StrictMath.log(n) - n);
  }

  /** ln n! for n at least 0. */
  static double of(long n) {
    return n == 0 ? 0 : (n + 0.5) * StrictMath.log(n) - n + HALF_LOG_TWO_PI + stirlingError(n);
  }
}
