package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What failures of a mechanism take of delta. */
class ApproximateGaussianDpTest {
  private static CallNoise noise(double failure) {
    return new CallNoise(
        new CallNoise.Shape(5, 0.01, 50, 1, 0.5, failure),
        List.of(List.of(new Phase(64, 1e-4))),
        List.of(0));
  }

  private static PrivacyAccountant account(double failure, double mu, Participation rule) {
    return new PrivacyAccountant(
        new AccountedNoise(noise(failure), 1, 1 / mu, Adjacency.ZERO_OUT),
        AccountedContribution.of(rule, GenerationSchedule.NONE),
        0,
        1e-6);
  }

  /** The example of the page: rho / r = 50, c = 2.9 and beta = 0.0816 give (1, 1.004e-6). */
  @Test
  void givesTheExampleByHand() {
    double mu = 2.9 * 0.0816;
    double failures = ApproximateGaussianDp.delta(1, 1e-9);
    assertThat(failures).isCloseTo((1 + Math.E) * 1e-9, within(1e-20));
    assertThat(1e-6 + failures).isCloseTo(1.004e-6, within(5e-10));
    assertThat(ApproximateGaussianDp.epsilon(mu, 1e-6 + failures, 1e-9)).isCloseTo(1, within(5e-4));
    BigDecimal exact = SlowGaussian.exp(BigDecimal.ONE).add(BigDecimal.ONE);
    assertThat(new BigDecimal(failures))
        .isGreaterThanOrEqualTo(exact.multiply(new BigDecimal(1e-9)));
    // Without them the same delta would say less.
    assertThat(GaussianDp.epsilon(mu, 1e-6 + failures))
        .isLessThan(ApproximateGaussianDp.epsilon(mu, 1e-6 + failures, 1e-9) - 1e-4);
  }

  @Test
  void chargesNoLessThanItsFormula() {
    for (double mu : new double[] {0.05, 0.3, 1, 3}) {
      for (double failure : new double[] {1e-12, 1e-9, 1e-8}) {
        double epsilon = ApproximateGaussianDp.epsilon(mu, 1e-6, failure);
        if (epsilon == Double.POSITIVE_INFINITY) {
          continue;
        }
        double left = 1e-6 - (1 + Math.exp(epsilon)) * failure;
        assertThat(GaussianDp.epsilon(mu, left)).isBetween(epsilon * (1 - 1e-9), epsilon);
      }
    }
    assertThat(ApproximateGaussianDp.epsilon(0.3, 1e-6, 6e-7)).isInfinite();
    assertThat(ApproximateGaussianDp.epsilon(0.3, 1e-6, 0))
        .isEqualTo(GaussianDp.epsilon(0.3, 1e-6));
    // Hardly too much of it: each of ten thousand steps rises by next to nothing.
    assertThat(ApproximateGaussianDp.epsilon(0.3, 1e-6, 1.7663728080677983e-7)).isInfinite();
  }

  /** Failures add up over participations; mu in squares. */
  @Test
  void addsUpOverParticipations() {
    PrivacyAccountant once = account(1e-9, 0.2, new Participation.Once());
    assertThat(once.accountant()).isEqualTo(AccountingMethod.APPROXIMATE_GAUSSIAN_DP);
    assertThat(once.failure(1_000_000)).isBetween(1e-9, 1e-9 * (1 + 1e-12));
    assertThat(once.guarantee(9).epsilon())
        .isEqualTo(GaussianDp.roundUp(ApproximateGaussianDp.epsilon(0.2, 1e-6, once.failure(9))))
        .isGreaterThan(GaussianDp.roundUp(GaussianDp.epsilon(0.2, 1e-6)));
    PrivacyAccountant five =
        account(1e-9, 0.2, new Participation.Scheduled(new ContributionBound(5, 2)));
    assertThat(five.failure(1)).isBetween(1e-9, 1e-9 * (1 + 1e-12));
    assertThat(five.failure(4)).isBetween(2e-9, 2e-9 * (1 + 1e-12));
    assertThat(five.failure(1000)).isBetween(5e-9, 5e-9 * (1 + 1e-12));
    assertThat(five.guarantee(1000).epsilon())
        .isEqualTo(GaussianDp.roundUp(
            ApproximateGaussianDp.epsilon(five.mu(1000), 1e-6, five.failure(1000))));
    // No budget that mu alone would keep.
    double epsilon = once.guarantee(9).epsilon();
    assertThat(once.allows(new Budget(epsilon, 1e-6), 9)).isTrue();
    assertThat(once.allows(new Budget(Math.nextDown(epsilon), 1e-6), 9)).isFalse();
    // The whole of delta may be gone with them.
    assertThat(account(1e-7, 0.2, new Participation.Scheduled(new ContributionBound(5, 1)))
            .guarantee(9)
            .epsilon())
        .isInfinite();
  }

  /** With an id, other contents may let another record of it in: two slots change by half each. */
  @Test
  void chargesBothSlotsOfAReplacedUnit() {
    for (Participation rule : List.of(new Participation.Once(), new Participation.ById())) {
      PrivacyAccountant replaced = new PrivacyAccountant(
          new AccountedNoise(noise(1e-9), 1, 5, Adjacency.REPLACE_ONE),
          AccountedContribution.of(rule, GenerationSchedule.NONE),
          0,
          1e-6);
      double slots = rule instanceof Participation.Once ? 1 : 2;
      assertThat(replaced.failure(7)).isBetween(slots * 1e-9, slots * 1e-9 * (1 + 1e-12));
      assertThat(account(1e-9, 0.2, rule).failure(7)).isBetween(1e-9, 1e-9 * (1 + 1e-12));
    }
  }

  @Test
  void calibratesSoThatTheWholeHolds() {
    for (long most : new long[] {1, 7}) {
      ContributionBound bound = new ContributionBound(most, 1);
      Budget budget = new Budget(1, 1e-6);
      NoiseCalibration calibration = new NoiseCalibration(
          budget, noise(1e-9), Adjacency.REPLACE_ONE, 1, GenerationSchedule.NONE, 0);
      double sigma = calibration.sigma(bound, Long.MAX_VALUE);
      PrivacyAccountant account = new PrivacyAccountant(
          new AccountedNoise(noise(1e-9), 1, sigma, Adjacency.REPLACE_ONE),
          AccountedContribution.of(new Participation.Scheduled(bound), GenerationSchedule.NONE),
          0,
          1e-6);
      assertThat(account.guarantee(100).epsilon()).isBetween(1 - 1e-6, 1.0);
      assertThat(account.allows(budget, Long.MAX_VALUE)).isTrue();
      // Without failures less noise would do.
      assertThat(sigma).isGreaterThan(2 * Math.sqrt(most) / budget.muLimit() * (1 + 1e-5));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Budget(3, 1e-6).beside(5e-8))
        .withMessageContaining("which failures of the mechanism take");
  }

  @Test
  void refusesABudgetOfMuForEachUnit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> account(1e-9, 0.2, new Participation.Budgeted(1)))
        .withMessageContaining("a budget per unit needs a mechanism");
  }
}
