package dev.sotto.learner.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutwardTest {
  private final Random random = new Random(1);

  private double number() {
    return random.nextDouble() * StrictMath.pow(2, random.nextInt(80) - 40);
  }

  @Test
  void givesTheLeastDoubleThatIsNoLess() {
    for (int i = 0; i < 4_000; i++) {
      double a = random.nextInt(5) == 0 ? random.nextInt(9) : number();
      double b = random.nextInt(5) == 0 ? random.nextInt(9) : number();
      long copies = 1 + (random.nextLong() >>> 1 + random.nextInt(62)) % Long.MAX_VALUE;
      assertLeast(Outward.sum(a, b), new BigDecimal(a).add(new BigDecimal(b)));
      assertLeast(
          Outward.product(copies, b), BigDecimal.valueOf(copies).multiply(new BigDecimal(b)));
    }
  }

  private static void assertLeast(double value, BigDecimal exact) {
    assertThat(new BigDecimal(value)).isGreaterThanOrEqualTo(exact);
    if (value > 0) {
      assertThat(new BigDecimal(Math.nextDown(value))).isLessThan(exact);
    }
  }

  @Test
  void keepsLongSumsAboveTheTruthWherePlainOnesFallBelow() {
    int fellBelow = 0;
    for (int trial = 0; trial < 100; trial++) {
      double cost = number();
      double outward = 0;
      double plain = 0;
      for (int i = 0; i < 500; i++) {
        outward = Outward.sum(outward, cost);
        plain += cost;
      }
      BigDecimal exact = new BigDecimal(cost).multiply(BigDecimal.valueOf(500));
      assertThat(new BigDecimal(outward)).isGreaterThanOrEqualTo(exact);
      fellBelow += new BigDecimal(plain).compareTo(exact) < 0 ? 1 : 0;
    }
    assertThat(fellBelow).isPositive();
  }

  @Test
  void bracketsSquaresAndRoots() {
    for (int i = 0; i < 4_000; i++) {
      double value = number() + 1e-9;
      BigDecimal square = new BigDecimal(value).pow(2);
      double below = Outward.squareBelow(value);
      assertThat(new BigDecimal(below)).isLessThanOrEqualTo(square);
      assertThat(new BigDecimal(Math.nextUp(below))).isGreaterThan(square);
      double root = Outward.rootAbove(value);
      assertThat(Outward.squareBelow(root)).isGreaterThanOrEqualTo(value);
      assertThat(Outward.squareBelow(Math.nextDown(root))).isLessThan(value);
    }
  }

  @Test
  void passesInfinityOn() {
    assertThat(Outward.sum(Double.POSITIVE_INFINITY, 1)).isInfinite();
    assertThat(Outward.sum(1, Double.POSITIVE_INFINITY)).isInfinite();
    assertThat(Outward.product(3, Double.POSITIVE_INFINITY)).isInfinite();
    assertThat(Outward.product(3, Double.MAX_VALUE)).isInfinite();
    assertThat(Outward.squareBelow(1e300)).isEqualTo(Double.MAX_VALUE);
  }
}
