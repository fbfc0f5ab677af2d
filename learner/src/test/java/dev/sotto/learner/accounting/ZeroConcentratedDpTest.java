package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ZeroConcentratedDpTest {
  private static final double[] DELTAS = {1e-2, 1e-4, 1e-6, 1e-9, 1e-15};

  @Test
  void liesAboveTheExactAndBelowTheSimpleConversion() {
    for (double mu = 1e-4; mu < 60; mu *= 1.5) {
      ZeroConcentratedDp one = ZeroConcentratedDp.ofGaussian(mu);
      for (double delta : DELTAS) {
        double epsilon = one.epsilon(delta);
        assertThat(epsilon).isGreaterThanOrEqualTo(GaussianDp.epsilon(mu, delta) * (1 - 1e-10));
        assertThat(epsilon).isLessThanOrEqualTo(one.simpleEpsilon(delta));
      }
    }
  }

  @Test
  void isTheSumOfItsParts() {
    ZeroConcentratedDp sum =
        ZeroConcentratedDp.ofGaussian(0.6).plus(ZeroConcentratedDp.ofGaussian(0.8));
    assertThat(sum.rho()).isBetween(0.5, 0.5 + 1e-14);
    assertThat(sum.mu()).isBetween(1.0, 1 + 1e-14);
    assertThat(ZeroConcentratedDp.ofGaussian(0.1).times(100).mu()).isCloseTo(1, within(1e-13));
    assertThat(sum.times(0).epsilon(1e-6)).isZero();
    assertThat(sum.simpleEpsilon(1e-6))
        .isCloseTo(0.5 + Math.sqrt(2 * 6 * Math.log(10)), within(1e-12));
  }

  @Test
  void boundsTheRenyiCurveOfEverythingPure() {
    for (double pure : new double[] {0.01, 0.5, 1, 4}) {
      double rho = ZeroConcentratedDp.ofPure(pure).rho();
      for (double order = 1.01; order < 100; order *= 1.2) {
        double divergence = RenyiDivergences.randomizedResponse(pure, order);
        assertThat(divergence).isLessThanOrEqualTo(rho * order * (1 + 1e-12));
      }
      double near = RenyiDivergences.randomizedResponse(0.01, 1.001) / 1.001;
      assertThat(near).as("and no better rho will do").isGreaterThan(0.9999 * 0.01 * 0.01 / 2);
    }
  }

  @Test
  void refusesWhatIsNoRho() {
    for (double bad : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      refuses(() -> new ZeroConcentratedDp(bad));
      refuses(() -> ZeroConcentratedDp.ofGaussian(bad));
    }
    refuses(() -> new ZeroConcentratedDp(1).times(-1));
    for (double bad : new double[] {Double.NaN, 0, 1}) {
      refuses(() -> new ZeroConcentratedDp(1).simpleEpsilon(bad));
    }
  }

  private static void refuses(Runnable asking) {
    assertThatIllegalArgumentException().isThrownBy(asking::run).withMessageContaining("but was");
  }
}
