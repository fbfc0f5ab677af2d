package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.mechanism.BltParameters;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Budgets of units whose rounds lie apart: noise and guarantee, held against every schedule. */
class BudgetSeparationTest {
  private static final Budget BUDGET = new Budget(2, 1e-6);
  private static final Mechanism BLT =
      Mechanisms.blt(BltParameters.ofTheta(new double[] {.25, .125}, new double[] {.75, .5}));
  private static final Mechanism SLOW =
      Mechanisms.blt(BltParameters.ofTheta(new double[] {.05, .3}, new double[] {.97, .6}));
  private static final GenerationSchedule SEVENS =
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 7);
  private static final int LONGEST = 14;

  private static double sigma(
      Mechanism mechanism, GenerationSchedule generations, long rounds, long separation) {
    return new NoiseCalibration(BUDGET, mechanism, Adjacency.ZERO_OUT, 1, generations, 0)
        .sigmaOfBudgeted(rounds, separation);
  }

  private static PrivacyAccountant account(
      Mechanism mechanism, GenerationSchedule generations, double sigma, long separation) {
    return new PrivacyAccountant(
        new AccountedNoise(mechanism, 1, sigma, Adjacency.ZERO_OUT),
        AccountedContribution.of(
            new Participation.Budgeted(BUDGET.muLimit(), separation), generations),
        0,
        BUDGET.delta());
  }

  private static DenseBook dense(
      Mechanism mechanism, GenerationSchedule generations, double sigma) {
    return new DenseBook(
        mechanism.memory().orElseThrow(), generations, 1 / (sigma * sigma), 0, LONGEST);
  }

  /** Every schedule of up to so many rounds, at least so far apart, within the first rounds. */
  private static void schedules(long most, long separation, Consumer<List<Long>> each) {
    for (int pattern = 1; pattern < 1 << LONGEST; pattern++) {
      List<Long> rounds = new ArrayList<>();
      boolean apart = true;
      for (int round = 1; round <= LONGEST; round++) {
        if ((pattern >> (round - 1) & 1) == 1) {
          apart &= rounds.isEmpty() || round - rounds.get(rounds.size() - 1) >= separation;
          rounds.add((long) round);
        }
      }
      if (apart && rounds.size() <= most) {
        each.accept(rounds);
      }
    }
  }

  private static boolean admits(Admission rule, List<Long> rounds) {
    byte[] history = null;
    for (long round : rounds) {
      history = rule.admit(history, round);
      if (history == null) {
        return false;
      }
    }
    return true;
  }

  /** The calibration is tight: its worst schedule is one of these, and costs the whole budget. */
  @ParameterizedTest
  @CsvSource({"1, 1", "3, 1", "2, 5", "3, 3", "4, 4", "5, 2", "2, 13"})
  void makesTheNoiseForTheWorstScheduleThatTheSeparationLeaves(long rounds, long separation) {
    for (Mechanism mechanism : new Mechanism[] {BLT, SLOW}) {
      double sigma = sigma(mechanism, GenerationSchedule.NONE, rounds, separation);
      DenseBook dense = dense(mechanism, GenerationSchedule.NONE, sigma);
      Admission rule = account(mechanism, GenerationSchedule.NONE, sigma, separation)
          .admission()
          .orElseThrow();
      double[] worst = {0};
      schedules(rounds, separation, schedule -> {
        worst[0] = Math.max(worst[0], dense.committed(schedule));
        assertThat(admits(rule, schedule)).as("admits %s", schedule).isTrue();
      });
      double budget = BUDGET.muLimit() * BUDGET.muLimit();
      assertThat(worst[0]).isCloseTo(budget, within(1e-8 * budget)).isLessThanOrEqualTo(budget);
    }
  }

  @Test
  void admitsNoMoreRoundsOfTheWorstScheduleThanTheNoiseWasMadeFor() {
    for (long separation : new long[] {1, 2, 16, 1000}) {
      for (long rounds : new long[] {1, 2, 8, 32}) {
        PrefixMechanism mechanism = Mechanisms.BLT.make();
        double sigma = sigma(mechanism, GenerationSchedule.NONE, rounds, separation);
        PrivacyAccountant account = account(mechanism, GenerationSchedule.NONE, sigma, separation);
        assertThat(account.roundsInARow(1000)).isEqualTo(rounds);
      }
    }
  }

  /** Restarts: the noise may be more than is needed, never less. */
  @ParameterizedTest
  @CsvSource({"2, 5", "3, 3", "4, 2", "2, 9"})
  void makesTheNoiseForEverySpreadOverGenerations(long rounds, long separation) {
    double sigma = sigma(BLT, SEVENS, rounds, separation);
    Admission rule = account(BLT, SEVENS, sigma, separation).admission().orElseThrow();
    schedules(
        rounds,
        separation,
        schedule -> assertThat(admits(rule, schedule)).as("admits %s", schedule).isTrue());
  }

  @Test
  void needsLessNoiseTheFurtherRoundsLieApart() {
    double before = Double.POSITIVE_INFINITY;
    for (long separation = 1; separation <= 1 << 20; separation *= 4) {
      double sigma = sigma(Mechanisms.BLT.make(), GenerationSchedule.NONE, 8, separation);
      assertThat(sigma).isLessThan(before);
      before = sigma;
    }
    double independent = sigma(Mechanisms.INDEPENDENT.make(), GenerationSchedule.NONE, 8, 1);
    assertThat(sigma(Mechanisms.INDEPENDENT.make(), GenerationSchedule.NONE, 8, 99))
        .isEqualTo(independent);
  }

  /** What is stated of the rounds so far holds for every schedule, and for some it is exact. */
  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, false", "6, false", "3, true", "5, true"})
  void statesTheCostOfTheWorstScheduleSoFar(long separation, boolean restarts) {
    GenerationSchedule generations = restarts ? SEVENS : GenerationSchedule.NONE;
    double sigma = 20;
    PrivacyAccountant account = account(BLT, generations, sigma, separation);
    DenseBook dense = dense(BLT, generations, sigma);
    double[] worst = new double[LONGEST + 1];
    schedules(LONGEST, separation, schedule -> {
      for (int t = schedule.get(schedule.size() - 1).intValue(); t <= LONGEST; t++) {
        worst[t] = Math.max(worst[t], dense.spent(schedule, t));
      }
    });
    for (int t = 1; t <= LONGEST; t++) {
      double stated = account.mu(t) * account.mu(t);
      assertThat(stated).isGreaterThanOrEqualTo(worst[t] * (1 - 1e-12));
      if (!restarts) {
        assertThat(stated).isCloseTo(worst[t], within(1e-9 * worst[t]));
      }
    }
  }

  /** Without the separation the same noise lets some of these schedules pass the statement. */
  @Test
  void wouldStateTooLittleWithoutTheSeparation() {
    PrivacyAccountant account = account(BLT, GenerationSchedule.NONE, 20, 4);
    double[] worst = {0};
    DenseBook dense = dense(BLT, GenerationSchedule.NONE, 20);
    schedules(
        LONGEST, 1, schedule -> worst[0] = Math.max(worst[0], dense.spent(schedule, LONGEST)));
    assertThat(worst[0]).isGreaterThan(1.5 * account.mu(LONGEST) * account.mu(LONGEST));
  }

  @Test
  void keepsRoundsApartAcrossGenerationsAndWhateverTheBudget() {
    Admission rule =
        AdmissionRules.budgeted(new Participation.Budgeted(1e6, 5), ColumnDecay.NONE, SEVENS, 1, 0);
    byte[] history = rule.admit(null, 6);
    for (long round = 6; round < 11; round++) {
      assertThat(rule.admit(history, round)).isNull();
    }
    assertThat(rule.admit(history, 11)).isNotNull();
  }

  @Test
  void refusesHistoriesOfAnotherSeparation() {
    byte[] history = AdmissionRules.budgeted(
            new Participation.Budgeted(9, 5), ColumnDecay.NONE, SEVENS, 1, 0)
        .admit(null, 6);
    for (long other : new long[] {1, 4, 6}) {
      Admission rule = AdmissionRules.budgeted(
          new Participation.Budgeted(9, other), ColumnDecay.NONE, SEVENS, 1, 0);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> rule.admit(history, 60))
          .withMessageContaining("written under another plan");
    }
  }

  @Test
  void refusesASeparationBelowOneRound() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Participation.Budgeted(1, 0))
        .withMessage("separation must be at least 1, but was 0");
  }

  @Test
  void countsRoundsAsFarApartAsTheyCanBe() {
    PrivacyAccountant account =
        account(Mechanisms.INDEPENDENT.make(), GenerationSchedule.NONE, 1e6, Long.MAX_VALUE / 2);
    assertThat(account.roundsInARow(10)).isEqualTo(3);
  }
}
