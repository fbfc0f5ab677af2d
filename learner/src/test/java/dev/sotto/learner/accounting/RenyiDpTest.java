package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.Laplace;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenyiDpTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] ORDERS = {1.001, 1.1, 1.5, 2, 2.5, 4, 9.25, 32, 300, 1e4};
  private static final double[] EPSILONS = {1e-6, 1e-3, 0.1, 0.7, 1, 3, 20};
  private static final double[] DELTAS = {0.5, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12, 1e-15};

  /** The claimed divergence is at least the true one, and a relative 1e-11 above it at most. */
  private static void bounds(double divergence, double order, BigDecimal exact) {
    assertThat(SlowRenyi.moment(divergence, order)).isGreaterThanOrEqualTo(exact);
    assertThat(SlowRenyi.moment(divergence * (1 - 1e-11), order)).isLessThan(exact);
  }

  @Test
  void boundsTheClosedFormsFromAboveAndClosely() {
    for (double epsilon : EPSILONS) {
      for (double order : ORDERS) {
        RenyiDp laplace = RenyiDp.of(new Laplace(epsilon));
        bounds(laplace.at(order), order, SlowRenyi.laplace(epsilon, order));
        RenyiDp coin = RenyiDp.of(new RandomizedResponse(epsilon));
        bounds(coin.at(order), order, SlowRenyi.randomizedResponse(epsilon, order));
        RenyiDp gaussian = RenyiDp.of(new Gaussian(epsilon));
        double exact = order * epsilon * epsilon / 2;
        assertThat(gaussian.at(order)).isBetween(exact, exact * (1 + 1e-13));
        assertThat(laplace.at(order)).isLessThanOrEqualTo(coin.at(order));
        assertThat(coin.at(order)).isLessThanOrEqualTo(epsilon);
      }
    }
  }

  /**
   * The Laplace curve is convex in the shift and 0 at 0, so a shift split over coordinates costs no
   * more.
   */
  @Test
  void chargesASplitLaplaceShiftNoMore() {
    for (double order : ORDERS) {
      for (double share : new double[] {0.1, 0.3, 0.5}) {
        for (double shift : EPSILONS) {
          RenyiDp split = RenyiDp.of(new Laplace(share * shift))
              .plus(RenyiDp.of(new Laplace((1 - share) * shift)));
          double whole = RenyiDp.of(new Laplace(shift)).at(order);
          assertThat(split.at(order)).isLessThanOrEqualTo(whole * (1 + 1e-12));
        }
      }
    }
  }

  @Test
  void goesToThePureEpsilonAtInfinity() {
    assertThat(RenyiDp.of(new Laplace(0.7)).at(INFINITY)).isEqualTo(0.7);
    assertThat(RenyiDp.of(new RandomizedResponse(0.7)).at(INFINITY)).isEqualTo(0.7);
    assertThat(RenyiDp.of(new Gaussian(0.7)).at(INFINITY)).isEqualTo(INFINITY);
    RenyiDp twice = RenyiDp.of(new Laplace(0.7)).times(2);
    assertThat(twice.epsilon(0)).isBetween(1.4, 1.4 + 1e-14);
    assertThat(twice.delta(1.41)).isZero();
    assertThat(RenyiDp.of(new Gaussian(1)).epsilon(0)).isEqualTo(INFINITY);
  }

  /**
   * Only as good as the orders tried: a fine scan of orders finds nothing better, and they are all
   * valid.
   */
  @Test
  void findsTheBestOrder() {
    for (double mu : new double[] {1e-3, 0.2, 1, 8}) {
      RenyiDp curve = RenyiDp.of(new Gaussian(mu));
      for (double delta : DELTAS) {
        double scan = INFINITY;
        for (double above = 1e-3; above < 1e6; above *= 1.0005) {
          double order = 1 + above;
          scan = Math.min(
              scan,
              order * mu * mu / 2
                  + Math.log1p(-1 / order)
                  - (Math.log(delta) + Math.log(order)) / above);
        }
        double epsilon = curve.epsilon(delta);
        assertThat(epsilon).isCloseTo(Math.max(0, scan), within(1e-6 * Math.abs(scan) + 1e-9));
        if (epsilon > 0) {
          assertThat(curve.delta(epsilon)).isCloseTo(delta, within(1e-5 * delta));
        }
      }
    }
  }

  @Test
  void neverPromisesMoreThanTheExactAccountant() {
    for (double mu = 1e-4; mu < 60; mu *= 1.7) {
      RenyiDp curve = RenyiDp.of(new Gaussian(mu));
      for (double delta : DELTAS) {
        double exact = GaussianDp.epsilon(mu, delta);
        assertThat(curve.epsilon(delta)).isGreaterThanOrEqualTo(exact * (1 - 1e-10));
        double epsilon = 3 * mu;
        assertThat(curve.delta(epsilon)).isGreaterThanOrEqualTo(GaussianDp.delta(mu, epsilon));
      }
    }
    for (double pure : EPSILONS) {
      RenyiDp coin = RenyiDp.of(new RandomizedResponse(pure));
      for (double delta : DELTAS) {
        assertThat(coin.epsilon(delta)).isBetween(PureDp.epsilon(pure, delta) * (1 - 1e-12), pure);
      }
    }
  }

  @Test
  void composesByAdding() {
    RenyiDp five = RenyiDp.of(new Gaussian(0.3)).times(5);
    RenyiDp one = RenyiDp.of(new Gaussian(StrictMath.sqrt(5 * 0.09)));
    RenyiDp both = five.plus(RenyiDp.of(new Laplace(0.4)));
    for (double order : ORDERS) {
      assertThat(five.at(order)).isCloseTo(one.at(order), within(1e-13 * one.at(order)));
      double laplace = RenyiDp.of(new Laplace(0.4)).at(order);
      assertThat(both.at(order)).isGreaterThanOrEqualTo(five.at(order) + laplace);
    }
    assertThat(five.times(0).at(2)).isZero();
    assertThat(RenyiDp.NOTHING.epsilon(1e-6)).isZero();
    assertThat(RenyiDp.NOTHING.delta(0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({ // docs/privacy.md, "Numbers to check against", at whole orders: rate, noise
    // multiplier, runs, epsilon
    "0.01, 1,     1000, 2.437",
    "0.01, 2,     1000, 0.783",
    "0.02, 3,     2000, 1.450",
    "0.05, 4.946, 448,  1.000"
  })
  void meetsTheAcceptanceNumbers(double rate, double sigma, int runs, double epsilon) {
    RenyiDp curve = RenyiDp.of(new SampledGaussian(rate, sigma)).times(runs);
    assertThat(curve.epsilon(1e-6)).isBetween(epsilon - 1.5e-3, epsilon + 5e-4);
  }

  @Test
  void refusesWhatIsNoOrderOrParameter() {
    RenyiDp curve = RenyiDp.of(new Gaussian(1));
    for (double bad : new double[] {Double.NaN, 1, 0.5, -2}) {
      refuses(() -> curve.at(bad));
    }
    for (double bad : new double[] {Double.NaN, -1}) {
      refuses(() -> curve.delta(bad));
      refuses(() -> curve.epsilon(bad));
    }
    refuses(() -> curve.epsilon(1));
    refuses(() -> curve.times(-1));
  }

  private static void refuses(Runnable asking) {
    assertThatIllegalArgumentException().isThrownBy(asking::run).withMessageContaining("but was");
  }
}
