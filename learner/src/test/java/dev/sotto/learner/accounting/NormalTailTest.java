package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.NormalTail;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class NormalTailTest {
  @Test
  void agreesWithSlowArithmeticOnTheWholeHalfLine() {
    for (double x = 0; x < 60; x += x < 10 ? 0.0625 : 1.75) {
      double exact = SlowGaussian.mills(new BigDecimal(x)).doubleValue();
      assertThat(NormalTail.mills(x)).as("M(%s)", x).isCloseTo(exact, within(1e-15 * exact));
    }
  }

  @Test
  void givesTheFallWithoutCancellation() {
    for (double x = 0; x < 60; x += x < 10 ? 0.0625 : 1.75) {
      BigDecimal slow = new BigDecimal(x);
      double exact =
          BigDecimal.ONE.subtract(slow.multiply(SlowGaussian.mills(slow))).doubleValue();
      assertThat(NormalTail.millsFall(x)).as("-M'(%s)", x).isCloseTo(exact, within(2e-14 * exact));
    }
  }

  @Test
  void reflectsNegativeArguments() {
    for (double x : new double[] {-0.125, -1, -5, -30}) {
      double both = NormalTail.mills(x) + NormalTail.mills(-x);
      double exact = StrictMath.exp(x * x / 2) * StrictMath.sqrt(2 * Math.PI);
      assertThat(both).as("M(%s)", x).isCloseTo(exact, within(1e-13 * exact));
    }
  }

  @Test
  void staysFiniteForHugeArguments() {
    assertThat(NormalTail.mills(1e300)).isCloseTo(1e-300, within(1e-314));
    assertThat(NormalTail.mills(Double.POSITIVE_INFINITY)).isZero();
  }

  @Test
  void givesProbabilities() {
    for (double x = -12; x < 12; x += 0.1117) {
      BigDecimal slow = new BigDecimal(Math.abs(x));
      BigDecimal tail = SlowGaussian.mills(slow)
          .multiply(new BigDecimal(StrictMath.exp(-x * x / 2) / StrictMath.sqrt(2 * Math.PI)));
      double exact = x < 0 ? tail.doubleValue() : BigDecimal.ONE.subtract(tail).doubleValue();
      assertThat(NormalTail.probability(x)).as("Phi(%s)", x).isCloseTo(exact, within(0x1p-49));
    }
    assertThat(NormalTail.probability(0)).isEqualTo(0.5);
    assertThat(NormalTail.probability(1e300)).isEqualTo(1);
    assertThat(NormalTail.probability(-1e300)).isZero();
    assertThat(NormalTail.probability(Double.NEGATIVE_INFINITY)).isZero();
  }
}
