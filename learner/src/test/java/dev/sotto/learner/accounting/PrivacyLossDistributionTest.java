package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import org.junit.jupiter.api.Test;

class PrivacyLossDistributionTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] DELTAS = {0.3, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12};

  private static PrivacyLossDistribution above(DominatingPair pair) {
    return PrivacyLossDistribution.of(pair);
  }

  private static PrivacyLossDistribution below(DominatingPair pair) {
    return PrivacyLossDistribution.below(pair);
  }

  @Test
  void staysCloseOverAMillionRuns() {
    PrivacyLossDistribution sum = above(new Gaussian(0.001)).times(1_000_000);
    for (double delta : DELTAS) {
      double epsilon = GaussianDp.epsilon(1, delta);
      assertThat(sum.epsilon(delta)).isBetween(epsilon, epsilon * (1 + 3e-4));
    }
  }

  @Test
  void liesBetweenTheExactAndCoveringGaussians() {
    for (double shift : new double[] {0.05, 2}) {
      for (double mu : new double[] {0.05, 2}) {
        for (int runs : new int[] {1, 10}) {
          PrivacyLossDistribution losses =
              above(new RandomizedResponse(shift)).plus(above(new Gaussian(mu))).times(runs);
          double gaussians = mu * Math.sqrt(runs);
          double covering = Math.sqrt(runs * (mu * mu + Math.pow(PureDp.mu(shift), 2)));
          for (double delta : DELTAS) {
            double epsilon = losses.epsilon(delta);
            assertThat(epsilon).isGreaterThanOrEqualTo(GaussianDp.epsilon(gaussians, delta));
            assertThat(epsilon)
                .isLessThanOrEqualTo(GaussianDp.epsilon(covering, delta) * (1 + 1e-4));
            double added = runs * shift + GaussianDp.epsilon(gaussians, delta);
            assertThat(epsilon).isLessThanOrEqualTo(added * (1 + 1e-4) + 1e-4 * shift);
          }
        }
      }
    }
  }

  @Test
  void ordersMechanismsOfOnePureEpsilon() {
    for (int runs : new int[] {1, 3, 50}) {
      PrivacyLossDistribution coin = above(new RandomizedResponse(0.4)).times(runs);
      double mu = PureDp.mu(0.4) * Math.sqrt(runs);
      for (double delta : DELTAS) {
        assertThat(coin.epsilon(delta)).isLessThanOrEqualTo(runs * 0.4 * (1 + 1e-3));
        double gaussian = GaussianDp.epsilon(mu, delta);
        assertThat(coin.epsilon(delta)).isLessThanOrEqualTo(gaussian * (1 + 1e-3));
      }
    }
  }

  @Test
  void invertsDelta() {
    PrivacyLossDistribution above = above(new RandomizedResponse(0.5)).plus(above(new Gaussian(1)));
    PrivacyLossDistribution below = below(new RandomizedResponse(0.5)).plus(below(new Gaussian(1)));
    for (double delta : DELTAS) {
      double epsilon = above.epsilon(delta);
      assertThat(above.delta(epsilon)).isLessThanOrEqualTo(delta);
      assertThat(above.delta(epsilon * (1 - 1e-9))).isGreaterThan(delta);
      double least = below.epsilon(delta);
      assertThat(below.delta(least)).isGreaterThanOrEqualTo(delta);
      assertThat(least).isBetween(epsilon * (1 - 1e-3), epsilon);
    }
    assertThat(above.epsilon(0)).isEqualTo(INFINITY);
    assertThat(above.epsilon(0.9)).isZero();
    assertThat(above.delta(INFINITY)).isBetween(0.0, 1e-29);
    assertThat(above(new RandomizedResponse(2)).epsilon(0)).isBetween(2.0, 2.001);
  }

  @Test
  void knowsNothing() {
    PrivacyLossDistribution nothing = above(new Gaussian(0));
    assertThat(nothing.delta(0)).isZero();
    assertThat(nothing.epsilon(0)).isZero();
    PrivacyLossDistribution gaussian = above(new Gaussian(1));
    assertThat(gaussian.times(0).epsilon(0)).isZero();
    assertThat(gaussian.plus(nothing).epsilon(1e-6))
        .isCloseTo(gaussian.epsilon(1e-6), within(1e-10));
    assertThat(gaussian.times(1)).isSameAs(gaussian);
  }

  @Test
  void isTheSameToTheBit() {
    PrivacyLossDistribution sum = above(new RandomizedResponse(0.5)).plus(above(new Gaussian(1)));
    assertThat(sum.epsilon(1e-6)).isEqualTo(5.286694914651019);
  }

  @Test
  void refusesWhatIsNoPrivacyParameter() {
    PrivacyLossDistribution losses = above(new Gaussian(1));
    for (double bad : new double[] {Double.NaN, -1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> losses.delta(bad));
      assertThatIllegalArgumentException().isThrownBy(() -> losses.epsilon(bad));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> losses.epsilon(1));
    assertThatIllegalArgumentException().isThrownBy(() -> losses.times(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> losses.plus(below(new Gaussian(1))));
  }

  @Test
  void staysABoundWhereTheGridIsCoarserThanALossOfOne() {
    for (double mu : new double[] {300, 2000}) {
      for (double delta : DELTAS) {
        double epsilon = GaussianDp.epsilon(mu, delta);
        assertThat(above(new Gaussian(mu)).epsilon(delta))
            .isBetween(epsilon * (1 - 1e-10), epsilon * (1 + 1e-4));
      }
    }
  }

  /**
   * Where the coin shows its likely side, at an epsilon of 1 - 3, adding is told better than
   * removing: 1 - e^-2 and e^-2 of the delta of removing at 2. On its other side, at 1 + 3, adding
   * is not told at all, since no loss of it is above ln 2.
   */
  @Test
  void keepsBothOrdersBesideAPairThatIsItsOwnMirror() {
    SampledGaussian pair = new SampledGaussian(0.5, 0.5);
    double likely = 1 / (1 + StrictMath.exp(-3));
    double least = likely * (1 - StrictMath.exp(-2) * (1 - below(pair).delta(2)));
    PrivacyLossDistribution sampled = above(pair);
    PrivacyLossDistribution coin = above(new RandomizedResponse(3));
    for (PrivacyLossDistribution both : new PrivacyLossDistribution[] {
      sampled.plus(coin), coin.plus(sampled), sampled.within(1 << 10).plus(coin)
    }) {
      assertThat(both.delta(1)).isBetween(least, least * 1.003);
    }
  }

  @Test
  void takesASumOfAllForAGaussian() {
    assertThat(above(new SampledGaussian(1, 0.5)).epsilon(1e-6))
        .isEqualTo(above(new Gaussian(2)).epsilon(1e-6));
  }

  /** Of (1 + e^e) times what is given up for tails, no e makes 1e-27. */
  @Test
  void namesNoEpsilonOfReplacingWhereTheTailsAreTooMuch() {
    assertThat(above(new Gaussian(2)).epsilon(1e-27)).isLessThan(30);
    assertThat(above(new Gaussian(2)).replacingEpsilon(1e-27)).isEqualTo(INFINITY);
  }
}
