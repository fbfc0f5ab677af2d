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
  void refusesWhatIsNoPrivacyParameter() {
    for (double bad : new double[] {Double.NaN, -1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> PureDp.mu(bad));
    }
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
}
