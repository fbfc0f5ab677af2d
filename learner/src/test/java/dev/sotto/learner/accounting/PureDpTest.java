package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;

class PureDpTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] PURE = {1e-9, 1e-4, 0.01, 0.3, 0.999, 1, 1.001, 2, 7, 30, 100};
  private static final MathContext DIGITS = new MathContext(100);

  /** (e^pure - e^epsilon) / (1 + e^pure), slowly. */
  private static BigDecimal exactDelta(double pure, double epsilon) {
    BigDecimal odds = SlowGaussian.exp(new BigDecimal(pure));
    return odds.subtract(SlowGaussian.exp(new BigDecimal(epsilon)))
        .divide(odds.add(BigDecimal.ONE), DIGITS);
  }

  /** Whether mu-GDP promises no more than the pure epsilon at any of many epsilons below it. */
  private static boolean covers(double mu, double pure) {
    for (int i = 0; i < 12; i++) {
      double epsilon = pure * i / 12;
      if (SlowGaussian.delta(mu, epsilon).compareTo(exactDelta(pure, epsilon)) < 0) {
        return false;
      }
    }
    return true;
  }

  @Test
  void findsTheLeastGaussianThatCoversAPureEpsilon() {
    for (double pure : PURE) {
      double mu = PureDp.mu(pure);
      assertThat(covers(mu, pure)).as("%s", pure).isTrue();
      assertThat(covers(mu * (1 - 1e-12), pure)).as("a little less, %s", pure).isFalse();
    }
  }

  @Test
  void knowsASimpleQuantile() {
    double pure =
        StrictMath.log(0.84134474606854294859 / 0.15865525393145705141); // Phi(1) : Phi(-1)
    assertThat(PureDp.mu(pure)).isCloseTo(2, within(1e-11));
    assertThat(PureDp.mu(0)).isZero();
    assertThat(PureDp.mu(INFINITY)).isEqualTo(INFINITY);
    assertThat(PureDp.mu(1e300)).isBetween(1e150, 1e151);
    double tail = SlowGaussian.tail(new BigDecimal(PureDp.mu(600) / 2)).doubleValue();
    assertThat(tail).isBetween(StrictMath.exp(-600) * (1 - 1e-9), StrictMath.exp(-600));
  }

  @Test
  void boundsDeltaFromAboveAndClosely() {
    for (double pure : PURE) {
      for (int i = 0; i < 10; i++) {
        double epsilon = pure * i / 10;
        double exact = exactDelta(pure, epsilon).doubleValue();
        assertThat(PureDp.delta(pure, epsilon)).isBetween(exact, exact * (1 + 1e-13));
      }
      assertThat(PureDp.delta(pure, pure)).isZero();
    }
    assertThat(PureDp.delta(INFINITY, 3)).isEqualTo(1);
    assertThat(PureDp.delta(INFINITY, INFINITY)).isZero();
  }

  @Test
  void boundsEpsilonFromAboveAndClosely() {
    for (double pure : PURE) {
      for (double delta : new double[] {1e-15, 1e-9, 1e-3, 0.2, 0.9}) {
        double epsilon = PureDp.epsilon(pure, delta);
        BigDecimal slack = new BigDecimal(delta);
        assertThat(epsilon).isBetween(0.0, pure);
        assertThat(exactDelta(pure, epsilon)).isLessThanOrEqualTo(slack);
        if (epsilon > 0) {
          double below = epsilon - 1e-13 * pure / (1 - delta);
          assertThat(exactDelta(pure, Math.max(0, below))).isGreaterThan(slack);
        }
      }
      assertThat(PureDp.epsilon(pure, 0)).isEqualTo(pure);
    }
    assertThat(PureDp.epsilon(0, 1e-6)).isZero();
    assertThat(PureDp.epsilon(INFINITY, 0.5)).isEqualTo(INFINITY);
  }

  @Test
  void refusesWhatIsNoPrivacyParameter() {
    for (double bad : new double[] {Double.NaN, -1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> PureDp.mu(bad));
      assertThatIllegalArgumentException().isThrownBy(() -> PureDp.delta(bad, 1));
      assertThatIllegalArgumentException().isThrownBy(() -> PureDp.delta(1, bad));
      assertThatIllegalArgumentException().isThrownBy(() -> PureDp.epsilon(bad, 0.1));
      assertThatIllegalArgumentException().isThrownBy(() -> PureDp.epsilon(1, bad));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> PureDp.epsilon(1, 1));
  }

  /** There mu is sqrt(pi / 2) times as much to all digits. */
  @Test
  void coversATinyPureEpsilon() {
    BigDecimal factor = new BigDecimal("1.2533141373155002512078826424055");
    for (int i = 0; i < 200; i++) {
      double pure = 1e-300 * (1 + i / 200.0);
      BigDecimal exact = new BigDecimal(pure).multiply(factor);
      assertThat(new BigDecimal(PureDp.mu(pure)))
          .isBetween(exact, exact.multiply(new BigDecimal(1 + 1e-12)));
    }
  }

  /** What is left of 1 by a delta close to it has few digits. */
  @Test
  void boundsEpsilonFromAboveWhereDeltaIsCloseToOne() {
    for (double pure = 25; pure < 30; pure += 0.1) {
      double delta = 1 - 5 * StrictMath.exp(-pure);
      double epsilon = PureDp.epsilon(pure, delta);
      assertThat(exactDelta(pure, epsilon)).isLessThanOrEqualTo(new BigDecimal(delta));
    }
    assertThat(PureDp.epsilon(0, 0.5)).isZero();
  }
}
