package dev.sotto.learner.mechanism.tuning;

/**
 * The square-root mechanism, C = B with {@code c_k = binom(2k, k) / 4^k} (Henzinger, Upadhyay and
 * Upadhyay 2023): the yardstick of errors, and too dear to run, since it remembers every round.
 */
public final class SquareRoot {
  private static final double EULER = 0.57721566490153286061;
  private static final int DIRECT = 1024;

  private SquareRoot() {}

  /**
   * The largest error of the mechanism made for so many rounds at mu = 1 and s = 1, that of the
   * last prefix: {@code sum_{k < rounds} c_k^2}, the square of its sensitivity; to a relative
   * 1e-15.
   *
   * @param rounds at least 1
   */
  public static double error(long rounds) {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
    return rounds <= DIRECT ? summed(rounds) : expanded(rounds);
  }

  static double summed(long rounds) {
    double coefficient = 1;
    double sum = 1;
    for (long k = 1; k < rounds; k++) {
      coefficient *= (2 * k - 1) / (2.0 * k);
      sum += coefficient * coefficient;
    }
    return sum;
  }

  /** Landau's constants, by the expansion of Watson (1930); the next term is below 0.01 / t^4. */
  static double expanded(double t) {
    double logarithm = StrictMath.log(t) + EULER + 4 * StrictMath.log(2);
    double tail = (-1 / 4.0 + (5 / 192.0 + 3 / (128 * t)) / t) / t;
    return (logarithm + tail) / StrictMath.PI;
  }
}
