package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GaussianDpTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] MUS = {
    1e-4, 1e-3, 0.01, 0.1, 0.2, 0.2499999, 0.25, 0.3, 0.5, 1, 2, 2.5, 5, 10, 20, 50
  };
  private static final double[] DELTAS = {0.999, 0.5, 1e-3, 1e-5, 1e-6, 1e-9, 1e-12, 1e-15};

  @ParameterizedTest
  @CsvSource({ // docs/development/figures.md, "Privacy"
    "0.1,  0.3406693647,  0.3968573776,  0.5351482316",
    "0.25, 0.9263415040,  1.0607018623,  1.3956157139",
    "0.5,  1.9930914044,  2.2540846502,  2.9097323808",
    "1,    4.3771780957,  4.8865541175,  6.1739350467",
    "2,    9.9972561464,  10.9971512142, 13.5347722192",
    "5,    33.1037323359, 35.5663437141, 41.8333750806"
  })
  void meetsTheAcceptanceNumbers(double mu, double at5, double at6, double at9) {
    assertThat(GaussianDp.epsilon(mu, 1e-5)).isCloseTo(at5, within(1e-9 * at5));
    assertThat(GaussianDp.epsilon(mu, 1e-6)).isCloseTo(at6, within(1e-9 * at6));
    assertThat(GaussianDp.epsilon(mu, 1e-9)).isCloseTo(at9, within(1e-9 * at9));
  }

  @Test
  void boundsTheExactEpsilonFromAboveAndClosely() {
    int solved = 0;
    for (double mu : MUS) {
      for (double delta : DELTAS) {
        double epsilon = GaussianDp.epsilon(mu, delta);
        BigDecimal exact = new BigDecimal(delta);
        BigDecimal slow = SlowGaussian.delta(mu, epsilon);
        assertThat(slow).as("%s %s", mu, delta).isLessThanOrEqualTo(exact);
        assertThat(GaussianDp.delta(mu, epsilon))
            .isCloseTo(slow.doubleValue(), within(1e-12 * slow.doubleValue()));
        if (epsilon > mu / 100) {
          solved++;
          assertThat(SlowGaussian.delta(mu, epsilon * (1 - 1e-10)))
              .as("just below, at mu %s and delta %s", mu, delta)
              .isGreaterThan(exact);
        }
      }
    }
    assertThat(solved).isGreaterThan(90); // of 128: the others have 2 Phi(mu/2) - 1 <= delta
  }

  @Test
  void boundsFromAboveAtRandomPlaces() {
    Random random = Seed.random(11);
    for (int i = 0; i < Tier.choose(60, 300); i++) {
      double mu = 1e-4 * StrictMath.pow(5e5, random.nextDouble());
      double delta = StrictMath.pow(10, -15 * random.nextDouble());
      double epsilon = GaussianDp.epsilon(mu, delta);
      BigDecimal exact = new BigDecimal(delta);
      assertThat(SlowGaussian.delta(mu, epsilon)).as("%s %s", mu, delta).isLessThanOrEqualTo(exact);
      double below = epsilon > mu / 100 ? epsilon * (1 - 1e-10) : epsilon - 2e-12 * mu;
      if (below > 0) {
        assertThat(SlowGaussian.delta(mu, below)).as("%s %s", mu, delta).isGreaterThan(exact);
      }
    }
  }

  @Test
  void bringsSmallEpsilonsWithinTheirAbsoluteError() {
    for (double mu : new double[] {1e-4, 0.1, 1, 3}) {
      double atZero = SlowGaussian.delta(mu, 0).doubleValue();
      for (double share : new double[] {1e-3, 1e-5, 1e-8}) {
        double delta = atZero * (1 - share);
        double epsilon = GaussianDp.epsilon(mu, delta);
        BigDecimal exact = new BigDecimal(delta);
        assertThat(SlowGaussian.delta(mu, epsilon)).isLessThanOrEqualTo(exact);
        double below = Math.max(0, epsilon - 2e-12 * mu);
        assertThat(SlowGaussian.delta(mu, below)).as("%s %s", mu, share).isGreaterThan(exact);
      }
    }
  }

  @Test
  void risesWithMuAndFallsWithDelta() {
    for (int i = 0; i < Tier.choose(500, 2000); i++) {
      double mu = 1e-4 * StrictMath.pow(5e5, i / (double) Tier.choose(500, 2000));
      double next = mu * 1.001;
      for (double delta : DELTAS) {
        double epsilon = GaussianDp.epsilon(mu, delta);
        assertThat(GaussianDp.epsilon(next, delta)).isGreaterThanOrEqualTo(epsilon);
        assertThat(GaussianDp.epsilon(mu, delta * 1.0005)).isLessThanOrEqualTo(epsilon);
      }
    }
  }

  @Test
  void invertsEpsilonFromBelow() {
    for (double epsilon : new double[] {0, 1e-9, 1e-3, 0.1, 1, 3, 8, 40, 1000, 1e6}) {
      for (double delta : DELTAS) {
        double mu = GaussianDp.mu(epsilon, delta);
        assertThat(GaussianDp.epsilon(mu, delta)).isLessThanOrEqualTo(epsilon);
        assertThat(GaussianDp.epsilon(mu * (1 + 1e-9), delta)).isGreaterThan(epsilon);
      }
    }
  }

  @Test
  void namesZeroWhereDeltaAlonePaysForMu() {
    double delta = 2 * 0.19146246127401310364; // 2 Phi(1/2) - 1
    assertThat(GaussianDp.epsilon(1, delta * (1 + 1e-11))).isZero();
    assertThat(GaussianDp.epsilon(1, delta * (1 - 1e-11))).isPositive();
    assertThat(GaussianDp.epsilon(1e-300, 1e-5)).isZero();
  }

  /** There delta(mu, 0) is mu / sqrt(2 pi) to all digits, and its logarithm the least exact. */
  @Test
  void namesNoZeroTooSoonWhereDeltaIsTiny() {
    BigDecimal density = new BigDecimal("0.39894228040143267793994605993438");
    for (int i = 0; i < 200; i++) {
      double delta = 1e-300 * (1 + i / 200.0);
      double mu = delta / density.doubleValue();
      while (new BigDecimal(mu).multiply(density).compareTo(new BigDecimal(delta)) <= 0) {
        mu = Math.nextUp(mu);
      }
      assertThat(GaussianDp.epsilon(mu, delta)).isPositive();
      assertThat(GaussianDp.epsilon(mu * (1 - 1e-12), delta)).isZero();
    }
  }

  @Test
  void keepsTheEdges() {
    assertThat(GaussianDp.epsilon(0, 1e-6)).isZero();
    assertThat(GaussianDp.epsilon(0, 0)).isZero();
    assertThat(GaussianDp.epsilon(1, 0)).isEqualTo(INFINITY);
    assertThat(GaussianDp.epsilon(INFINITY, 1e-6)).isEqualTo(INFINITY);
    assertThat(GaussianDp.epsilon(1e200, 1e-6)).isEqualTo(INFINITY);
    assertThat(GaussianDp.epsilon(1e8, 1e-6)).isBetween(5e15, 5e15 * (1 + 1e-6));
    assertThat(GaussianDp.epsilon(3, Double.MIN_VALUE)).isBetween(100.0, 130.0);
    assertThat(GaussianDp.mu(INFINITY, 1e-6)).isEqualTo(INFINITY);
    assertThat(GaussianDp.mu(1, 0)).isZero();
    assertThat(GaussianDp.mu(0, Double.MIN_VALUE)).isPositive();
    assertThat(GaussianDp.mu(Double.MAX_VALUE, 1e-6)).isBetween(1e154, 2e154);
    assertThat(GaussianDp.delta(0, 0)).isZero();
    assertThat(GaussianDp.delta(INFINITY, 5)).isEqualTo(1);
    assertThat(GaussianDp.delta(1, INFINITY)).isZero();
    assertThat(GaussianDp.delta(1e-300, 1)).isZero();
    assertThat(GaussianDp.delta(1e150, 1)).isEqualTo(1);
  }

  @Test
  void refusesWhatIsNoPrivacyParameter() {
    for (double bad : new double[] {Double.NaN, -1e-300, -1}) {
      assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.epsilon(bad, 0.1));
      assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.epsilon(1, bad));
      assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.delta(bad, 1));
      assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.delta(1, bad));
      assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.mu(bad, 0.1));
      assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.mu(1, bad));
      assertThatIllegalArgumentException().isThrownBy(() -> GaussianDp.roundUp(bad));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GaussianDp.mu(Double.POSITIVE_INFINITY, bad));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GaussianDp.epsilon(1, 1))
        .withMessage("delta must be at least 0 and below 1, but was 1.0");
  }

  @Test
  void roundsUpToTenDigitsAndNeverBelow() {
    Random random = Seed.random(7);
    for (int i = 0; i < Tier.choose(5_000, 20_000); i++) {
      double epsilon = random.nextDouble() * StrictMath.pow(10, random.nextInt(30) - 20);
      double up = GaussianDp.roundUp(epsilon);
      assertThat(up).isBetween(epsilon, epsilon * (1 + 1e-9));
      assertThat(GaussianDp.roundUp(up)).isEqualTo(up);
      assertThat(GaussianDp.roundDown(up)).isEqualTo(up);
      assertThat(GaussianDp.roundDown(epsilon)).isBetween(epsilon * (1 - 1e-9), epsilon);
      assertThat(GaussianDp.roundUp(Math.nextUp(up))).isGreaterThan(up);
    }
    assertThat(GaussianDp.roundUp(4.37717809570000001)).isEqualTo(4.377178096);
    assertThat(GaussianDp.roundUp(1.0 / 3)).isEqualTo(0.3333333334);
    assertThat(GaussianDp.roundUp(0)).isZero();
    assertThat(GaussianDp.roundUp(INFINITY)).isEqualTo(INFINITY);
    assertThat(GaussianDp.roundUp(Double.MIN_VALUE)).isEqualTo(Double.MIN_VALUE);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.7, 2, 8, 10, 123.456})
  void leavesConfiguredEpsilonsAsTheyAre(double epsilon) {
    assertThat(GaussianDp.roundUp(epsilon)).isEqualTo(epsilon);
  }
}
