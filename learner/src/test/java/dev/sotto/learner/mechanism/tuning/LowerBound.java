package dev.sotto.learner.mechanism.tuning;

/**
 * What no mechanism of this kind can beat: for A = B C with columns of C of norm at most 1, the
 * largest row of B is at least {@code |B|_F |C|_F / n >= |A|_* / n}, the mean of A's singular
 * values, which for the prefix sums of n rounds are {@code 1 / (2 sin((2 i - 1) pi / (4 n + 2)))}.
 */
final class LowerBound {
  private static final long DIRECT = 1 << 16;

  private LowerBound() {}

  /** Of the largest error over so many rounds at mu = 1 and s = 1, to a relative 1e-9. */
  static double error(long rounds) {
    return (summed(Math.min(rounds, DIRECT), rounds) + integrated(rounds)) / rounds;
  }

  private static double angle(long rounds) {
    return Math.PI / (4 * rounds + 2);
  }

  static double summed(long terms, long rounds) {
    double sum = 0;
    for (long i = terms; i >= 1; i--) {
      sum += 0.5 / Math.sin((2 * i - 1) * angle(rounds));
    }
    return sum;
  }

  /** The terms from {@link #DIRECT} on by the midpoint rule read backwards. */
  private static double integrated(long rounds) {
    if (rounds <= DIRECT) {
      return 0;
    }
    double from = Math.log(Math.tan(DIRECT * angle(rounds)));
    double to = Math.log(Math.tan(rounds * angle(rounds)));
    return (to - from) / (4 * angle(rounds));
  }
}
