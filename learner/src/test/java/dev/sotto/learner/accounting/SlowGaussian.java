package dev.sotto.learner.accounting;

import java.math.BigDecimal;
import java.math.MathContext;

/** delta(epsilon) of mu-GDP as the formula says it, in 140-digit arithmetic: slow and obvious. */
final class SlowGaussian {
  private static final MathContext DIGITS = new MathContext(140);
  private static final BigDecimal TWO = BigDecimal.valueOf(2);
  private static final BigDecimal SQRT_TWO_PI = TWO.multiply(pi()).sqrt(DIGITS);

  private SlowGaussian() {}

  static BigDecimal delta(double mu, double epsilon) {
    BigDecimal exactMu = new BigDecimal(mu);
    BigDecimal middle = new BigDecimal(epsilon).divide(exactMu, DIGITS);
    BigDecimal half = exactMu.divide(TWO, DIGITS);
    BigDecimal left = tail(middle.subtract(half));
    BigDecimal right = tail(middle.add(half));
    return left.subtract(exp(new BigDecimal(epsilon)).multiply(right, DIGITS), DIGITS);
  }

  /** Phi(-x). */
  static BigDecimal tail(BigDecimal x) {
    if (x.signum() < 0) {
      return BigDecimal.ONE.subtract(tail(x.negate()), DIGITS);
    }
    return mills(x).multiply(density(x), DIGITS);
  }

  /** Phi(-x) / phi(x) for x >= 0: Taylor's series up to 12, the continued fraction beyond. */
  static BigDecimal mills(BigDecimal x) {
    if (x.doubleValue() > 12) {
      BigDecimal fraction = x;
      for (int k = 400; k >= 1; k--) {
        fraction = x.add(BigDecimal.valueOf(k).divide(fraction, DIGITS), DIGITS);
      }
      return BigDecimal.ONE.divide(fraction, DIGITS);
    }
    BigDecimal square = x.multiply(x, DIGITS);
    BigDecimal term = x;
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal smallest = BigDecimal.ONE.movePointLeft(150);
    for (int n = 1; term.compareTo(smallest) > 0; n++) { // x + x^3/3 + x^5/15 + ...
      sum = sum.add(term, DIGITS);
      term = term.multiply(square, DIGITS).divide(BigDecimal.valueOf(2L * n + 1), DIGITS);
    }
    return new BigDecimal("0.5").divide(density(x), DIGITS).subtract(sum, DIGITS);
  }

  private static BigDecimal density(BigDecimal x) {
    BigDecimal power = x.multiply(x, DIGITS).divide(TWO.negate(), DIGITS);
    return exp(power).divide(SQRT_TWO_PI, DIGITS);
  }

  static BigDecimal exp(BigDecimal x) {
    int halvings = 40;
    BigDecimal small = x.divide(TWO.pow(halvings), DIGITS);
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal term = BigDecimal.ONE;
    for (int k = 1; k < 30; k++) {
      term = term.multiply(small, DIGITS).divide(BigDecimal.valueOf(k), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, DIGITS);
    }
    return sum;
  }

  /** Machin: pi = 16 arctan(1/5) - 4 arctan(1/239). */
  private static BigDecimal pi() {
    return arctanOfInverse(5)
        .multiply(BigDecimal.valueOf(16))
        .subtract(arctanOfInverse(239).multiply(BigDecimal.valueOf(4)), DIGITS);
  }

  private static BigDecimal arctanOfInverse(int n) {
    BigDecimal power = BigDecimal.ONE.divide(BigDecimal.valueOf(n), DIGITS);
    BigDecimal sum = BigDecimal.ZERO;
    for (int k = 0; k < 110; k++) {
      BigDecimal term = power.divide(BigDecimal.valueOf(2L * k + 1), DIGITS);
      sum = k % 2 == 0 ? sum.add(term, DIGITS) : sum.subtract(term, DIGITS);
      power = power.divide(BigDecimal.valueOf((long) n * n), DIGITS);
    }
    return sum;
  }
}
