package dev.sotto.learner.participation;

import java.math.BigDecimal;

/**
 * Arithmetic that never errs towards less privacy loss, and does not err where doubles can be
 * exact.
 */
final class UpwardRounding {
  private UpwardRounding() {}

  /** The smallest double at or above a + b, for numbers that are not negative. */
  static double sum(double a, double b) {
    double sum = a + b;
    if (sum == Double.POSITIVE_INFINITY) {
      return sum;
    }
    double partOfB = sum - a; // Knuth's two-sum: what rounding took away, exactly
    double lost = (a - (sum - partOfB)) + (b - partOfB);
    return lost > 0 ? Math.nextUp(sum) : sum;
  }

  /** The smallest double at or above a multiple (at least 1) of a value that is not negative. */
  static double product(long copies, double value) {
    if (value == Double.POSITIVE_INFINITY) {
      return value;
    }
    BigDecimal exact = BigDecimal.valueOf(copies).multiply(new BigDecimal(value));
    double product = exact.doubleValue();
    return product < Double.POSITIVE_INFINITY && exact.compareTo(new BigDecimal(product)) > 0
        ? Math.nextUp(product)
        : product;
  }

  /** The largest double at or below the square of a finite number. */
  static double squareBelow(double value) {
    double square = value * value;
    if (square == Double.POSITIVE_INFINITY) {
      return Double.MAX_VALUE;
    }
    BigDecimal exact = new BigDecimal(value).pow(2);
    return exact.compareTo(new BigDecimal(square)) < 0 ? Math.nextDown(square) : square;
  }

  /** The smallest double whose {@link #squareBelow} reaches a positive number. */
  static double rootAbove(double square) {
    double root = StrictMath.sqrt(square);
    while (squareBelow(root) < square) {
      root = Math.nextUp(root);
    }
    while (squareBelow(Math.nextDown(root)) >= square) {
      root = Math.nextDown(root);
    }
    return root;
  }
}
