package dev.sotto.learner.mechanism;

/**
 * A ratio r within (0, 1), held by what it lacks of 1 so that it keeps its digits near 1, with its
 * powers and geometric sums. All of them rise or fall with n without a step back: {@code expm1} is
 * semi-monotonic.
 *
 * @param complement 1 - r, within (0, 1]
 * @param log ln r, negative
 */
record DecayRatio(double complement, double log) {
  static DecayRatio ofComplement(double complement) {
    return new DecayRatio(complement, StrictMath.log1p(-complement));
  }

  /** The product of two ratios: 1 - (1 - u)(1 - v) = u + v - uv. */
  DecayRatio times(DecayRatio other) {
    return ofComplement(complement + other.complement - complement * other.complement);
  }

  /** r itself, in doubles. */
  double value() {
    return 1 - complement;
  }

  /** r^n for n of at least 0; 0 for an infinite n. */
  double power(double n) {
    return n == 0 ? 1 : StrictMath.exp(n * log);
  }

  /** 1 + r + ... + r^(n-1); the whole series for an infinite n. */
  double sum(double n) {
    return n == 0 ? 0 : -StrictMath.expm1(n * log) / complement;
  }
}
