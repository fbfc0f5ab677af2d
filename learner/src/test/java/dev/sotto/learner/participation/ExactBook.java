package dev.sotto.learner.participation;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The book of one unit without generations in 120-digit arithmetic: slow and obvious, and for any
 * gap.
 */
final class ExactBook {
  private static final MathContext DIGITS = new MathContext(120);
  private static final BigDecimal NOTHING = new BigDecimal("1e-150");

  private final BigDecimal[] omega;
  private final BigDecimal[] theta;
  private final BigDecimal[] h;
  private final BigDecimal ratioSquared;
  private BigDecimal spent = BigDecimal.ZERO;
  private long last;

  ExactBook(ColumnDecay memory, double ratioSquared) {
    int size = memory.size();
    this.ratioSquared = new BigDecimal(ratioSquared);
    omega = new BigDecimal[size];
    theta = new BigDecimal[size];
    h = new BigDecimal[size];
    for (int m = 0; m < size; m++) {
      omega[m] = new BigDecimal(memory.omega()[m]);
      theta[m] = BigDecimal.ONE.subtract(new BigDecimal(memory.oneMinusTheta()[m]));
      h[m] = BigDecimal.ZERO;
    }
  }

  void enter(long round) {
    int gap = Math.toIntExact(round - last - 1);
    spent = spent.add(rows(gap));
    BigDecimal moved = BigDecimal.ONE;
    for (int m = 0; m < h.length; m++) {
      h[m] = h[m].multiply(power(theta[m], gap), DIGITS);
      moved = moved.add(omega[m].multiply(h[m], DIGITS));
      h[m] = h[m].multiply(theta[m], DIGITS).add(BigDecimal.ONE);
    }
    spent = spent.add(moved.multiply(moved).multiply(ratioSquared), DIGITS);
    last = round;
  }

  BigDecimal committed() {
    return spent.add(rows(-1));
  }

  /** The cost of so many rows that follow, or of all if negative. */
  private BigDecimal rows(int count) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int m = 0; m < h.length; m++) {
      for (int l = m; l < h.length; l++) {
        BigDecimal both = theta[m].multiply(theta[l]);
        BigDecimal left = count < 0 ? BigDecimal.ZERO : power(both, count);
        BigDecimal terms =
            BigDecimal.ONE.subtract(left).divide(BigDecimal.ONE.subtract(both), DIGITS);
        BigDecimal pair =
            omega[m].multiply(omega[l]).multiply(h[m]).multiply(h[l]).multiply(terms, DIGITS);
        sum = sum.add(l == m ? pair : pair.add(pair));
      }
    }
    return sum.multiply(ratioSquared, DIGITS);
  }

  private static BigDecimal power(BigDecimal base, int exponent) {
    BigDecimal power = base.pow(exponent, DIGITS);
    return power.compareTo(NOTHING) < 0
        ? BigDecimal.ZERO
        : power; // or sums would have as many digits
  }
}
