package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.learner.accounting.PrivacyLossGrid.Side;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampledGaussianLossTest {
  private static double tail(double x) {
    return SlowGaussian.tail(new BigDecimal(x)).doubleValue();
  }

  /**
   * delta of one run with the unit's data against without: the loss is above epsilon right of one
   * point.
   */
  private static double removal(SampledGaussian pair, double epsilon) {
    double sigma = pair.noiseMultiplier();
    double place = pair.place(epsilon);
    double with = (1 - pair.rate()) * tail(place / sigma) + pair.rate() * tail((place - 1) / sigma);
    return with - Math.exp(epsilon) * tail(place / sigma);
  }

  /** delta of one run without against with: left of one point, or nowhere. */
  private static double addition(SampledGaussian pair, double epsilon) {
    double sigma = pair.noiseMultiplier();
    double place = pair.place(-epsilon);
    if (place == Double.NEGATIVE_INFINITY) {
      return 0;
    }
    double with =
        (1 - pair.rate()) * tail(-place / sigma) + pair.rate() * tail((1 - place) / sigma);
    return tail(-place / sigma) - Math.exp(epsilon) * with;
  }

  @Test
  void bracketsOneRunBothWays() {
    int twins = 0;
    for (double rate : new double[] {0.01, 0.3, 0.9}) {
      for (double sigma : new double[] {0.5, 1, 5}) {
        SampledGaussian pair = new SampledGaussian(rate, sigma);
        PrivacyLossGrid removed =
            PrivacyLossBins.of(PrivacyLossFunction.removal(pair), Side.ABOVE, 4000);
        PrivacyLossGrid added =
            PrivacyLossBins.of(PrivacyLossFunction.addition(pair), Side.ABOVE, 4000);
        PrivacyLossGrid leastRemoved =
            PrivacyLossBins.of(PrivacyLossFunction.removal(pair), Side.BELOW, 4000);
        PrivacyLossGrid leastAdded =
            PrivacyLossBins.of(PrivacyLossFunction.addition(pair), Side.BELOW, 4000);
        PrivacyLossDistribution both = PrivacyLossDistribution.of(pair);
        for (double epsilon : new double[] {1e-3, 0.05, 0.3, 1.3, 2.1}) {
          double out = removal(pair, epsilon);
          double in = addition(pair, epsilon);
          assertThat(removed.delta(epsilon)).isBetween(out - 1e-14, out * 1.05 + 1e-6);
          assertThat(added.delta(epsilon)).isBetween(in - 1e-14, in * 1.05 + 1e-6);
          assertThat(leastRemoved.delta(epsilon)).isLessThanOrEqualTo(out + 1e-14);
          assertThat(leastAdded.delta(epsilon)).isLessThanOrEqualTo(in + 1e-14);
          twins += leastRemoved.delta(epsilon) < out - 1e-9 ? 1 : 0;
          assertThat(both.delta(epsilon)).isGreaterThanOrEqualTo(Math.max(in, out) - 1e-14);
        }
      }
    }
    assertThat(twins).as("grids from below that the test would have refused").isGreaterThan(30);
  }

  @ParameterizedTest
  @CsvSource({ // docs/development/figures.md, "Privacy": rate, noise multiplier, runs,
    // epsilon, its error
    "0.05, 4.946, 448,  0.925,  0.001", // the others: SampledLossesTest
    "1,    20,    100,  2.2541, 0.0001"
  })
  void meetsTheAcceptanceNumbers(
      double rate, double sigma, int runs, double epsilon, double error) {
    SampledGaussian pair = new SampledGaussian(rate, sigma);
    double above = PrivacyLossDistribution.of(pair).times(runs).epsilon(1e-6);
    assertThat(above).isBetween(epsilon - error, epsilon + error);
    double below = PrivacyLossDistribution.below(pair).times(runs).epsilon(1e-6);
    assertThat(below).isBetween(0.97 * above, above);
  }

  @Test
  void liesBelowTheRenyiAccountantAndTheUnsampledMechanism() {
    double sigma = 2;
    int runs = 100;
    for (double rate : new double[] {0.005, 0.5}) {
      PrivacyLossDistribution losses =
          PrivacyLossDistribution.of(new SampledGaussian(rate, sigma)).times(runs);
      double renyi = SampledLossesTest.renyi(rate, sigma, runs);
      assertThat(losses.epsilon(SampledLossesTest.DELTA)).isLessThanOrEqualTo(renyi);
      for (double delta : new double[] {1e-3, 1e-6, 1e-9}) {
        assertThat(losses.epsilon(delta))
            .isLessThan(GaussianDp.epsilon(Math.sqrt(runs) / sigma, delta));
      }
    }
  }

  @Test
  void isTheGaussianWhereEverythingIsTakenAndNothingWhereNothingIs() {
    PrivacyLossDistribution whole =
        PrivacyLossDistribution.of(new SampledGaussian(1, 2)).times(3);
    PrivacyLossDistribution gaussian =
        PrivacyLossDistribution.of(new Gaussian(0.5)).times(3);
    assertThat(whole.epsilon(1e-6)).isEqualTo(gaussian.epsilon(1e-6));
    assertThat(PrivacyLossDistribution.of(new SampledGaussian(0, 2)).times(9).epsilon(0))
        .isZero();
    double last = Double.POSITIVE_INFINITY;
    for (double rate = 0.5; rate > 1e-6; rate /= 10) {
      double epsilon = PrivacyLossDistribution.of(new SampledGaussian(rate, 1)).epsilon(1e-6);
      assertThat(epsilon).isLessThan(last);
      last = epsilon;
    }
    assertThat(last).isLessThan(1e-3);
  }

  @Test
  void composesWithGaussians() {
    SampledGaussian pair = new SampledGaussian(0.1, 2);
    Gaussian other = new Gaussian(0.5);
    PrivacyLossDistribution above =
        PrivacyLossDistribution.of(pair).times(20).plus(PrivacyLossDistribution.of(other));
    PrivacyLossDistribution below =
        PrivacyLossDistribution.below(pair).times(20).plus(PrivacyLossDistribution.below(other));
    double unsampled = Math.sqrt(0.5 * 0.5 + 20 / 4.0);
    for (double delta : new double[] {1e-3, 1e-6, 1e-9}) {
      double epsilon = above.epsilon(delta);
      assertThat(below.epsilon(delta)).isBetween(0.99 * epsilon, epsilon);
      assertThat(epsilon)
          .isBetween(GaussianDp.epsilon(0.5, delta), GaussianDp.epsilon(unsampled, delta));
    }
  }
}
