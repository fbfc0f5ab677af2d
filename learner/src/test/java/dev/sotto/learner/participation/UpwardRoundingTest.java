package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UpwardRoundingTest {
  private final Random random = Seed.random(1);

  private double number() {
    return random.nextDouble() * StrictMath.pow(2, random.nextInt(80) - 40);
  }

  @Test
  void givesTheLeastDoubleThatIsNoLess() {
    for (int i = 0; i < 4_000; i++) {
      double a = random.nextInt(5) == 0 ? random.nextInt(9) : number();
      double b = random.nextInt(5) == 0 ? random.nextInt(9) : number();
      long copies = 1 + (random.nextLong() >>> 1 + random.nextInt(62)) % Long.MAX_VALUE;
      assertLeast(UpwardRounding.sum(a, b), new BigDecimal(a).add(new BigDecimal(b)));
      assertLeast(
          UpwardRounding.product(copies, b),
          BigDecimal.valueOf(copies).multiply(new BigDecimal(b)));
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
        outward = UpwardRounding.sum(outward, cost);
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
      double below = UpwardRounding.squareBelow(value);
      assertThat(new BigDecimal(below)).isLessThanOrEqualTo(square);
      assertThat(new BigDecimal(Math.nextUp(below))).isGreaterThan(square);
      double root = UpwardRounding.rootAbove(value);
      assertThat(UpwardRounding.squareBelow(root)).isGreaterThanOrEqualTo(value);
      assertThat(UpwardRounding.squareBelow(Math.nextDown(root))).isLessThan(value);
    }
  }

  @Test
  void passesInfinityOn() {
    assertThat(UpwardRounding.sum(Double.POSITIVE_INFINITY, 1)).isInfinite();
    assertThat(UpwardRounding.sum(1, Double.POSITIVE_INFINITY)).isInfinite();
    assertThat(UpwardRounding.product(3, Double.POSITIVE_INFINITY)).isInfinite();
    assertThat(UpwardRounding.product(3, Double.MAX_VALUE)).isInfinite();
    assertThat(UpwardRounding.squareBelow(1e300)).isEqualTo(Double.MAX_VALUE);
  }
}
