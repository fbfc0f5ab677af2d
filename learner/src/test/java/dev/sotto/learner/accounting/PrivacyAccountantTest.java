package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import org.junit.jupiter.api.Test;

/**
 * What is charged, against the sums that docs/privacy.md, "Noise mechanisms", "Contribution bounds"
 * and "The ledger" ask for.
 */
class PrivacyAccountantTest {
  private static final double DELTA = 1e-6;
  private static final double SIGMA = 8;
  private static final Participation ONCE = new Participation.Once();
  private static final GenerationSchedule FIVES =
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5);
  private static final GenerationSchedule DOUBLES =
      new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 4);

  private static PrivacyAccountant account(
      Mechanisms mechanism,
      Participation participation,
      GenerationSchedule generations,
      double metrics) {
    boolean key = participation instanceof Participation.Scheduled
        || participation instanceof Participation.Budgeted;
    return new PrivacyAccountant(
        new AccountedNoise(mechanism.make(), 1, SIGMA, Adjacency.REPLACE_ONE),
        new AccountedContribution(
            key ? PrivacyUnit.KEY : PrivacyUnit.RECORD, participation, generations),
        metrics,
        DELTA);
  }

  private static Participation scheduled(long most, long separation) {
    return new Participation.Scheduled(new ContributionBound(most, separation));
  }

  @Test
  void chargesARecordForItsOwnGenerationAlone() {
    PrefixMechanism blt = Mechanisms.BLT.make();
    PrivacyAccountant fives = account(Mechanisms.BLT, ONCE, FIVES, 0);
    for (long t = 1; t <= 30; t++) {
      assertThat(fives.mu(t)).isCloseTo(2 * blt.sensitivity(Math.min(t, 5)) / SIGMA, within(1e-12));
    }
    assertThat(fives.muLimit()).isCloseTo(2 * blt.sensitivity(5) / SIGMA, within(1e-12));
    PrivacyAccountant doubles = account(Mechanisms.BINARY_TREE, ONCE, DOUBLES, 0);
    // Generations of 4, 8 and 16 rounds: the longest so far decides.
    assertThat(doubles.mu(4)).isCloseTo(2 * Math.sqrt(3) / SIGMA, within(1e-12));
    assertThat(doubles.mu(11)).isCloseTo(2 * Math.sqrt(3) / SIGMA, within(1e-12));
    assertThat(doubles.mu(12)).isCloseTo(2 * Math.sqrt(4) / SIGMA, within(1e-12));
    assertThat(doubles.mu(27)).isCloseTo(2 * Math.sqrt(4) / SIGMA, within(1e-12));
    assertThat(doubles.mu(28)).isCloseTo(2 * Math.sqrt(5) / SIGMA, within(1e-12));
  }

  @Test
  void addsUpTheGenerationsOfAKey() {
    PrefixMechanism tree = Mechanisms.BINARY_TREE.make();
    PrivacyAccountant account = account(Mechanisms.BINARY_TREE, scheduled(6, 1), FIVES, 0);
    double worst = 0; // over the ways to deal six participations out to 5 + 5 + 2 rounds
    for (int first = 0; first <= 5; first++) {
      for (int second = 0; second <= 5 && first + second <= 6; second++) {
        int third = Math.min(2, 6 - first - second);
        worst = Math.max(
            worst, square(tree, 5, first) + square(tree, 5, second) + square(tree, 2, third));
      }
    }
    assertThat(account.mu(12)).isCloseTo(2 * Math.sqrt(worst) / SIGMA, within(1e-12));
  }

  private static double square(Mechanism mechanism, long rounds, int times) {
    if (times == 0) {
      return 0;
    }
    double once = mechanism.sensitivity(rounds, new ContributionBound(times, 1));
    return once * once;
  }

  @Test
  void addsTheMetricsInSquares() {
    double model =
        account(Mechanisms.BLT, scheduled(3, 2), GenerationSchedule.NONE, 0).mu(9);
    double both =
        account(Mechanisms.BLT, scheduled(3, 2), GenerationSchedule.NONE, 0.1).mu(9);
    assertThat(both * both).isCloseTo(model * model + 3 * 0.01, within(1e-12));
  }

  @Test
  void capsAKeyThatKeepsItsOwnBook() {
    PrefixMechanism blt = Mechanisms.BLT.make();
    PrivacyAccountant account =
        account(Mechanisms.BLT, new Participation.Budgeted(2), GenerationSchedule.NONE, 0);
    boolean capped = false;
    for (long t = 1; t <= 60; t++) {
      double all = 2 * blt.sensitivity(t, ContributionBound.EVERY_ROUND) / SIGMA;
      assertThat(account.mu(t)).isEqualTo(Math.min(2, all));
      capped |= all > 2;
      assertThat(account.matrixSensitivity(t) * 2 / SIGMA).isCloseTo(account.mu(t), within(1e-12));
    }
    assertThat(capped).isTrue();
    assertThat(account.muLimit()).isEqualTo(2);
    assertThat(account.mu(1)).as("asked again after the cap").isLessThan(2);
  }

  @Test
  void chargesRoundsOfABudgetAsFarApartAsTheyLie() {
    PrefixMechanism blt = Mechanisms.BLT.make();
    Participation apart = new Participation.Budgeted(50, 3);
    double mu = 2 * blt.sensitivity(9, new ContributionBound(Long.MAX_VALUE, 3)) / SIGMA;
    assertThat(account(Mechanisms.BLT, apart, GenerationSchedule.NONE, 0).mu(9)).isEqualTo(mu);
    assertThat(account(Mechanisms.BLT, apart, FIVES, 0).mu(9))
        .as("with restarts all rounds are charged")
        .isEqualTo(
            account(Mechanisms.BLT, scheduled(Long.MAX_VALUE, 1), FIVES, 0).mu(9));
  }

  @Test
  void countsRoundsUpToTheLastNumberOfARound() {
    long last = Long.MAX_VALUE;
    for (long[] each : new long[][] {{last, 1}, {last - 1, 2}, {last / 2, 3}, {1, 5}}) {
      Participation budgeted = new Participation.Budgeted(2, each[0]);
      assertThat(account(Mechanisms.INDEPENDENT, budgeted, GenerationSchedule.NONE, 0)
              .roundsInARow(5))
          .isEqualTo(each[1]);
    }
  }

  @Test
  void countsLaplaceInPureEpsilons() {
    PrivacyAccountant once = account(Mechanisms.LAPLACE, ONCE, GenerationSchedule.NONE, 0);
    Guarantee guarantee = once.guarantee(1000);
    assertThat(guarantee.epsilon()).isEqualTo(2 / SIGMA);
    assertThat(guarantee.delta()).isZero();
    assertThat(guarantee.mu()).isEqualTo(PureDp.mu(2 / SIGMA));
    assertThat(guarantee.epsilonLimit()).isEqualTo(2 / SIGMA);
    assertThat(once.accountant()).isEqualTo(AccountingMethod.PURE);
    PrivacyAccountant thrice =
        account(Mechanisms.LAPLACE, scheduled(3, 4), GenerationSchedule.NONE, 0);
    assertThat(thrice.guarantee(4).epsilon()).isEqualTo(2 / SIGMA);
    assertThat(thrice.guarantee(5).epsilon()).isEqualTo(4 / SIGMA);
    assertThat(thrice.guarantee(99).epsilon()).isEqualTo(6 / SIGMA);
  }

  @Test
  void countsKeysUnderLaplaceAcrossGenerationsInPureEpsilonsToo() {
    PrivacyAccountant account = account(Mechanisms.LAPLACE, scheduled(3, 1), FIVES, 0);
    assertThat(account.guarantee(2).epsilon()).isEqualTo(4 / SIGMA);
    assertThat(account.guarantee(99).epsilon()).isGreaterThanOrEqualTo(6 / SIGMA);
    PrivacyAccountant apart = account(Mechanisms.LAPLACE, scheduled(3, 5), FIVES, 0);
    assertThat(apart.guarantee(99).epsilon()).isGreaterThanOrEqualTo(6 / SIGMA);
  }

  @Test
  void releasesNoMetricsBesideAPureEpsilon() {
    for (double ratio : new double[] {0.3, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> account(Mechanisms.LAPLACE, ONCE, GenerationSchedule.NONE, ratio))
          .withMessageContaining("metrics must be absent with mechanism laplace");
    }
  }

  @Test
  void composesLaplaceWithEarlierRunsByTheirPrivacyLoss() {
    PrivacyAccountant mixed = new PrivacyAccountant(
        new AccountedNoise(Mechanisms.LAPLACE.make(), 1, SIGMA, Adjacency.REPLACE_ONE),
        new AccountedContribution(PrivacyUnit.RECORD, ONCE, GenerationSchedule.NONE),
        0,
        DELTA,
        0.3);
    Guarantee guarantee = mixed.guarantee(10);
    double metrics = GaussianDp.epsilon(0.3, DELTA);
    assertThat(mixed.accountant()).isEqualTo(AccountingMethod.PRIVACY_LOSS_DISTRIBUTION);
    assertThat(guarantee.delta()).isEqualTo(DELTA);
    assertThat(guarantee.epsilon())
        .isGreaterThan(metrics)
        .isGreaterThan(2 / SIGMA)
        .isLessThanOrEqualTo(metrics + 2 / SIGMA);
    assertThat(mixed.allows(new Budget(guarantee.epsilon(), DELTA), 10)).isTrue();
    assertThat(mixed.allows(new Budget(guarantee.epsilon() * 0.999, DELTA), 10)).isFalse();
    PrivacyAccountant twice = new PrivacyAccountant(
        new AccountedNoise(Mechanisms.LAPLACE.make(), 1, SIGMA, Adjacency.REPLACE_ONE),
        new AccountedContribution(PrivacyUnit.KEY, scheduled(2, 5), GenerationSchedule.NONE),
        0,
        DELTA,
        0.3);
    assertThat(twice.guarantee(5).epsilon()).isEqualTo(guarantee.epsilon());
    assertThat(twice.guarantee(6).epsilon()).isGreaterThan(guarantee.epsilon() + 0.2);
  }

  @Test
  void voidsEverythingWithExactMetrics() {
    for (Participation each : new Participation[] {ONCE, new Participation.Budgeted(2)}) {
      PrivacyAccountant account =
          account(Mechanisms.BLT, each, GenerationSchedule.NONE, Double.POSITIVE_INFINITY);
      assertThat(account.guarantee(1).epsilon()).isInfinite();
      assertThat(account.allows(new Budget(1e9, DELTA), 1)).isFalse();
      assertThat(account.roundsInARow(3)).isEqualTo(each == ONCE ? 1 : 3);
    }
  }

  /** Of one accountant, so that what was asked before is not the answer. */
  @Test
  void asksEachBudgetForItself() {
    PrivacyAccountant account = account(Mechanisms.BLT, ONCE, GenerationSchedule.NONE, 0);
    double epsilon = account.guarantee(100).epsilon();
    assertThat(account.allows(new Budget(epsilon, DELTA), 100)).isTrue();
    assertThat(account.allows(new Budget(epsilon * 0.999, DELTA), 100)).isFalse();
    assertThat(account.allows(new Budget(epsilon, DELTA * 0.99), 100)).isFalse();
  }

  /** docs/privacy.md, "A second history": the ledger of a new run starts from the old one. */
  @Test
  void beginsWithWhatWasSpentBefore() {
    for (Mechanisms mechanism : Mechanisms.values()) {
      Budget budget = new Budget(4, DELTA, 0.5);
      double sigma = new NoiseCalibration(
              budget, mechanism.make(), Adjacency.REPLACE_ONE, 1, GenerationSchedule.NONE, 0)
          .sigma(ContributionBound.ONE, 100);
      PrivacyAccountant first = new PrivacyAccountant(
          new AccountedNoise(mechanism.make(), 1, sigma, Adjacency.REPLACE_ONE),
          new AccountedContribution(PrivacyUnit.RECORD, ONCE, GenerationSchedule.NONE),
          0,
          DELTA);
      PrivacyAccountant second = new PrivacyAccountant(
          new AccountedNoise(mechanism.make(), 1, sigma, Adjacency.REPLACE_ONE),
          new AccountedContribution(PrivacyUnit.RECORD, ONCE, GenerationSchedule.NONE),
          0,
          DELTA,
          budget.spentMu());
      double due = Math.sqrt(first.mu(100) * first.mu(100) + 0.25);
      assertThat(second.mu(100)).isBetween(due, due * (1 + 1e-15));
      assertThat(second.allows(budget, 100)).isTrue();
      assertThat(second.guarantee(100).epsilon())
          .isGreaterThan(first.guarantee(100).epsilon())
          .isGreaterThanOrEqualTo(GaussianDp.epsilon(0.5, DELTA));
      double tight =
          mechanism.make().isPure() ? 3 : 3.9999; // the pure part is shared out in epsilons
      assertThat(second.guarantee(100).epsilon()).isGreaterThan(tight);
      assertThat(new PrivacyAccountant(
                  new AccountedNoise(mechanism.make(), 1, sigma, Adjacency.REPLACE_ONE),
                  new AccountedContribution(PrivacyUnit.RECORD, ONCE, GenerationSchedule.NONE),
                  0,
                  DELTA,
                  1)
              .allows(budget, 100))
          .as("the twin: more was spent than the noise was made for")
          .isFalse();
    }
  }

  @Test
  void leavesAKeyWhatItHasNotSpent() {
    Budget budget = new Budget(4, DELTA, 0.5);
    double left = budget.muLimit();
    assertThat(left * left + 0.25).isCloseTo(budget.totalMu() * budget.totalMu(), within(1e-9));
    PrivacyAccountant account = new PrivacyAccountant(
        new AccountedNoise(Mechanisms.BLT.make(), 1, SIGMA, Adjacency.ZERO_OUT),
        new AccountedContribution(
            PrivacyUnit.KEY, new Participation.Budgeted(left), GenerationSchedule.NONE),
        0,
        DELTA,
        0.5);
    assertThat(account.guarantee(1 << 20).epsilon()).isBetween(3.999999, 4.0);
    assertThat(account.matrixSensitivity(1 << 20) / SIGMA).isCloseTo(left, within(1e-12));
    for (double all : new double[] {0.5, new Budget(1, DELTA).totalMu()}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Budget(1, DELTA, all))
          .withMessageContaining("is spent already");
    }
  }

  @Test
  void takesABudgetFromItsMu() {
    assertThat(Budget.ofMu(0.5, DELTA).totalMu()).isBetween(0.5 * (1 - 1e-8), 0.5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Budget.ofMu(1e-7, DELTA))
        .withMessageContaining("a budget of mu 1.0E-7 is an epsilon of 0 at delta");
  }

  @Test
  void refusesUnitsAndRulesThatDoNotGoTogether() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> account(
            Mechanisms.BINARY_TREE, new Participation.Budgeted(2), GenerationSchedule.NONE, 0))
        .withMessageContaining("whose cost the unit's own book can follow");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PrivacyAccountant(
            new AccountedNoise(Mechanisms.BLT.make(), 1, 1, Adjacency.ZERO_OUT),
            new AccountedContribution(PrivacyUnit.KEY, ONCE, GenerationSchedule.NONE),
            0,
            DELTA))
        .withMessageContaining("do not go together");
  }
}
