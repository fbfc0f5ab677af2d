package dev.sotto.learner.accounting;

import static dev.sotto.learner.training.TestPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.EnumSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * mu^2 of everything is that of the model and that of the metrics, added up (docs/privacy.md, "The
 * ledger").
 */
class MetricsCostTest {
  private static final Budget BUDGET = new Budget(2, 1e-6);
  private static final double SIGMA = 4;
  private static final double RATIO = 0.25;

  private static PrivacyAccountant account(
      Mechanism mechanism,
      Participation participation,
      GenerationSchedule generations,
      double ratio) {
    boolean record =
        participation instanceof Participation.Once || participation instanceof Participation.ById;
    return new PrivacyAccountant(
        new AccountedNoise(mechanism, 1, SIGMA, Adjacency.ZERO_OUT),
        new AccountedContribution(
            record ? PrivacyUnit.RECORD : PrivacyUnit.KEY, participation, generations),
        ratio,
        BUDGET.delta());
  }

  private static double square(double value) {
    return value * value;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "LAPLACE")
  void addsTheMetricsOfOneRoundWhereARecordIsInOne(Mechanisms each) {
    for (Participation one :
        new Participation[] {new Participation.Once(), new Participation.ById()}) {
      PrivacyAccountant with = account(each.make(), one, GenerationSchedule.NONE, RATIO);
      PrivacyAccountant without = account(each.make(), one, GenerationSchedule.NONE, 0);
      for (long rounds : new long[] {1, 2, 64, 1000, 1L << 40}) {
        assertThat(square(with.mu(rounds)))
            .isCloseTo(square(without.mu(rounds)) + square(RATIO), within(1e-12));
        assertThat(with.metricsMu(rounds)).isEqualTo(RATIO);
      }
      assertThat(without.metricsMu(7)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "LAPLACE")
  void addsThemForEveryRoundThatAUnitMayBeIn(Mechanisms each) {
    Participation twelve = new Participation.Scheduled(new ContributionBound(12, 3));
    for (GenerationSchedule generations : new GenerationSchedule[] {
      GenerationSchedule.NONE, new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 10)
    }) {
      PrivacyAccountant with = account(each.make(), twelve, generations, RATIO);
      PrivacyAccountant without = account(each.make(), twelve, generations, 0);
      for (long rounds : new long[] {1, 3, 4, 33, 34, 35, 1000}) {
        long times = Math.min(12, (rounds + 2) / 3);
        assertThat(square(with.mu(rounds)))
            .isCloseTo(square(without.mu(rounds)) + times * square(RATIO), within(1e-12));
      }
    }
  }

  /** Of independent noise the book is a plain sum: floor(cap / cost). */
  @Test
  void admitsAUnitLessOftenWhereMetricsCostSomething() {
    Participation budgeted = new Participation.Budgeted(1);
    PrivacyAccountant with = account(
        Mechanisms.INDEPENDENT.make(), budgeted, GenerationSchedule.NONE, RATIO); // 1/16 + 1/16
    PrivacyAccountant without =
        account(Mechanisms.INDEPENDENT.make(), budgeted, GenerationSchedule.NONE, 0);
    assertThat(without.roundsInARow(1000)).isEqualTo(16);
    assertThat(with.roundsInARow(1000)).isEqualTo(8);
    assertThat(with.roundsInARow(5)).isEqualTo(5);
    assertThat(with.mu(1L << 40)).isEqualTo(1);
    assertThat(with.mu(2)).isCloseTo(0.5, within(1e-12));
    PrivacyAccountant blt =
        account(Mechanisms.BLT.make(), new Participation.Budgeted(3), GenerationSchedule.NONE, 0);
    PrivacyAccountant metered =
        account(Mechanisms.BLT.make(), new Participation.Budgeted(3), GenerationSchedule.NONE, 0.5);
    assertThat(metered.roundsInARow(1000)).isLessThan(blt.roundsInARow(1000)).isPositive();
  }

  @Test
  void countsRoundsInARowUnderEveryRule() {
    PrefixMechanism mechanism = Mechanisms.INDEPENDENT.make();
    assertThat(account(mechanism, new Participation.Once(), GenerationSchedule.NONE, 0)
            .roundsInARow(9))
        .isEqualTo(1);
    assertThat(account(mechanism, new Participation.ById(), GenerationSchedule.NONE, 0)
            .roundsInARow(9))
        .isEqualTo(1);
    for (long separation : new long[] {1, 2}) {
      Participation five = new Participation.Scheduled(new ContributionBound(5, separation));
      assertThat(account(mechanism, five, GenerationSchedule.NONE, 0).roundsInARow(9))
          .isEqualTo(separation == 1 ? 5 : 1);
    }
  }

  private static NoiseCalibration calibration(Mechanisms each, Adjacency adjacency, double share) {
    return new NoiseCalibration(BUDGET, each.make(), adjacency, 1, GenerationSchedule.NONE, share);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "LAPLACE")
  void givesTheMetricsTheirShareAndNoUnitMoreThanTheBudget(Mechanisms each) {
    for (double share : new double[] {0.001, 0.2, 0.9}) {
      for (Adjacency adjacency : Adjacency.values()) {
        for (ContributionBound bound :
            new ContributionBound[] {ContributionBound.ONE, new ContributionBound(5, 2)}) {
          NoiseCalibration calibration = calibration(each, adjacency, share);
          double sigma = calibration.sigma(bound, 1000);
          Plan plan = plan(b -> {
            b.budget = BUDGET;
            b.mechanism = each.make();
            b.adjacency = adjacency;
            b.sigma = sigma;
            b.metrics = new PrivateMetrics(calibration.metricsSigma(bound, 1000), 2, 10, 1);
            if (!bound.equals(ContributionBound.ONE)) {
              b.unit = PrivacyUnit.KEY;
              b.participation = new Participation.Scheduled(bound);
            }
          });
          assertThat(plan.allows(1000)).isTrue();
          assertThat(plan.mu(1000) / BUDGET.muLimit())
              .as("less, by more than a sum of squares is rounded up")
              .isBetween(1 - 1e-9, 1 - 0.9e-12);
          assertThat(square(plan.account().metricsMu(1000) / plan.mu(1000)))
              .isCloseTo(share, within(1e-9));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INDEPENDENT", "BLT"})
  void admitsAsManyRoundsInARowAsTheNoiseWasChosenFor(Mechanisms each) {
    for (long participations : new long[] {1, 2, 10, 100}) {
      NoiseCalibration calibration = calibration(each, Adjacency.ZERO_OUT, 0.3);
      double sigma = calibration.sigmaOfBudgeted(participations, 1);
      Plan plan = plan(b -> {
        b.budget = BUDGET;
        b.mechanism = each.make();
        b.sigma = sigma;
        b.unit = PrivacyUnit.KEY;
        b.participation = new Participation.Budgeted(BUDGET.muLimit());
        b.metrics =
            new PrivateMetrics(calibration.metricsSigmaOfBudgeted(participations), 2, 10, 1);
      });
      assertThat(plan.account().roundsInARow(1000)).isEqualTo(participations);
      double metrics = participations * square(plan.metrics().ratio(Adjacency.ZERO_OUT));
      assertThat(metrics / square(BUDGET.muLimit())).isBetween(0.3 * (1 - 1e-8), 0.3);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INDEPENDENT", "BLT"})
  void givesTheMetricsTheirShareOfOneRoundBesideNoiseOfChoice(Mechanisms each) {
    for (double sigma : new double[] {5, 50}) {
      double noise = calibration(each, Adjacency.ZERO_OUT, 0.3).metricsSigmaBeside(sigma);
      PrivacyAccountant model =
          account(each.make(), new Participation.Once(), GenerationSchedule.NONE, 0);
      double one = square(model.muLimit() * SIGMA / sigma);
      double metrics = square(PrivateMetrics.VECTOR_NORM / noise);
      assertThat(metrics / (one + metrics)).isCloseTo(0.3, within(1e-12));
    }
  }

  @Test
  void givesTheMetricsNeitherNothingNorAll() {
    NoiseCalibration without = calibration(Mechanisms.BLT, Adjacency.ZERO_OUT, 0);
    for (ThrowingCallable each : new ThrowingCallable[] {
      () -> without.metricsSigma(ContributionBound.ONE, 5),
      () -> without.metricsSigmaOfBudgeted(5),
      () -> without.metricsSigmaBeside(5)
    }) {
      assertThatIllegalArgumentException()
          .isThrownBy(each)
          .withMessageContaining("metrics without a share of the budget need no noise");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calibration(Mechanisms.BLT, Adjacency.ZERO_OUT, 1))
        .withMessageContaining("share must be at least 0 and below 1, but was 1.0");
  }

  /** docs/metrics.md: epsilon 2, delta 1e-6, share 0.1. */
  @Test
  void hasTheNoiseOfTheExamplesInItsPage() {
    NoiseCalibration calibration = calibration(Mechanisms.BLT, Adjacency.ZERO_OUT, 0.1);
    double once = calibration.metricsSigma(ContributionBound.ONE, Long.MAX_VALUE);
    assertThat(once).isCloseTo(12.2, within(0.05));
    assertThat(Math.sqrt(10) * once).isCloseTo(38.6, within(0.05));
    double often = calibration.metricsSigmaOfBudgeted(8);
    assertThat(Math.sqrt(10) * often).isCloseTo(109.3, within(0.05));
  }

  /** Figures are not negative: a replaced example moves them by sqrt(2) of its norm. */
  @Test
  void movesByTheNormOfItsFigures() {
    PrivateMetrics metrics = new PrivateMetrics(2, 1, 10, 1);
    assertThat(metrics.exact()).isFalse();
    assertThat(metrics.ratio(Adjacency.ZERO_OUT)).isCloseTo(Math.sqrt(3) / 2, within(1e-15));
    assertThat(metrics.ratio(Adjacency.REPLACE_ONE)).isCloseTo(Math.sqrt(6) / 2, within(1e-15));
  }

  @Test
  void refusesMetricsWithoutAMeasure() {
    for (int bins : new int[] {1, 1000}) {
      assertThat(new PrivateMetrics(2, 1, bins, 1).figures()).isEqualTo(3 + 2 * bins);
    }
    assertThat(new PrivateMetrics(2, 1, 10, 3).describe()) // part of a plan's fingerprint
        .isEqualTo("sigma=0x1.0p1 lossBound=0x1.0p0 bins=10 window=3");
    for (int bins : new int[] {0, 1001}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new PrivateMetrics(2, 1, bins, 1));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new PrivateMetrics(2, 0, 10, 1));
  }

  @Test
  void voidsEveryGuaranteeWhereMetricsAreExact() {
    PrivateMetrics exact = new PrivateMetrics(0, 2, 10, 1);
    assertThat(exact.exact()).isTrue();
    for (Mechanisms each : EnumSet.complementOf(EnumSet.of(Mechanisms.LAPLACE))) {
      Plan plan = plan(b -> {
        b.mechanism = each.make();
        b.metrics = exact;
        b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      });
      assertThat(plan.mu(1)).isInfinite();
      assertThat(plan.guarantee(1).epsilon()).isInfinite();
      assertThat(plan.guarantee(5).epsilonLimit()).isInfinite();
      assertThat(plan.terms().metricsRatio()).isInfinite();
      assertThat(plan.allows(Long.MAX_VALUE)).isTrue();
    }
  }

  @Test
  void refusesExactMetricsUnderAnyBudget() {
    for (double epsilon : new double[] {1, 1e6, Double.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> plan(b -> {
            b.budget = new Budget(epsilon, 1e-6);
            b.metrics = new PrivateMetrics(0, 2, 10, 1);
          }))
          .withMessageContaining("the first round alone would exceed the budget: epsilon Infinity");
    }
  }
}
