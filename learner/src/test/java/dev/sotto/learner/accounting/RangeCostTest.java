package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.range.RangeWindow;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients and counts together cost what is stated, for every schedule of a unit. */
class RangeCostTest {
  private static final int NUMBERS = 14;
  private static final double SIGMA = 3;
  private static final double SHARE = 0.5;
  private static final int ROUNDS = 10; // of which the first six are the window

  private static final GenerationSchedule RESTART =
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 7);

  private static RangeWindow window(Mechanism mechanism, Adjacency adjacency) {
    return window(mechanism, adjacency, GenerationSchedule.NONE, SHARE);
  }

  private static RangeWindow window(
      Mechanism mechanism, Adjacency adjacency, GenerationSchedule generations, double share) {
    AccountedNoise noise = new AccountedNoise(mechanism, 1, SIGMA, adjacency);
    double sigma = RangeCost.sigma(noise, generations, NUMBERS, share, Long.MAX_VALUE);
    return new RangeWindow(NUMBERS, 2, sigma, share);
  }

  private static PrivacyAccountant account(
      Mechanism mechanism, Adjacency adjacency, Participation rule, Optional<RangeWindow> window) {
    return account(mechanism, adjacency, rule, GenerationSchedule.NONE, window, 0);
  }

  private static PrivacyAccountant account(
      Mechanism mechanism,
      Adjacency adjacency,
      Participation rule,
      GenerationSchedule generations,
      Optional<RangeWindow> window,
      double metricsRatio) {
    return new PrivacyAccountant(
        new AccountedNoise(mechanism, 1, SIGMA, adjacency),
        new AccountedContribution(
            rule instanceof Participation.Once ? PrivacyUnit.RECORD : PrivacyUnit.KEY,
            rule,
            generations),
        metricsRatio,
        1e-6,
        0,
        window);
  }

  /**
   * The squared distance of two transcripts in units of their noise, of a unit in the rounds of a
   * set of bits, one slot each: written out from the matrix, by nothing of the accountant.
   */
  private static double squared(
      double[][] matrix, int rounds, int set, Adjacency adjacency, RangeWindow window) {
    return squared(matrix, GenerationSchedule.NONE, rounds, set, adjacency, window);
  }

  private static double squared(
      double[][] matrix,
      GenerationSchedule generations,
      int rounds,
      int set,
      Adjacency adjacency,
      RangeWindow window) {
    double sum = 0;
    for (int t = 0; t < rounds; t++) {
      double row = 0;
      int start = (int) generations.start(generations.of(t + 1)) - 1;
      for (int i = start; i <= t; i++) {
        if ((set >> i & 1) != 0) {
          double factor = i < window.allRounds() ? Math.sqrt(1 - window.share()) : 1;
          row += matrix[t - start][i - start] * factor * adjacency.sensitivity(1) / SIGMA;
        }
      }
      sum += row * row;
    }
    boolean isCounted = (set & (1 << Math.min(rounds, window.allRounds())) - 1) != 0; // once
    double moved = adjacency == Adjacency.REPLACE_ONE ? 2.0 * NUMBERS : NUMBERS;
    return sum + (isCounted ? moved / (window.sigma() * window.sigma()) : 0);
  }

  private static boolean isAdmitted(int set, int most, int separation) {
    int last = -separation;
    for (int i = 0; i < ROUNDS; i++) {
      if ((set >> i & 1) != 0) {
        if (i - last < separation) {
          return false;
        }
        last = i;
      }
    }
    return Integer.bitCount(set) <= most;
  }

  /** Also where counts take all of a participation, since the label is one of the numbers. */
  @ParameterizedTest
  @CsvSource({"ZERO_OUT, 0.5", "REPLACE_ONE, 0.5", "ZERO_OUT, 1", "REPLACE_ONE, 1"})
  void coversEveryScheduleOfRounds(Adjacency adjacency, double share) {
    for (GenerationSchedule generations :
        new GenerationSchedule[] {GenerationSchedule.NONE, RESTART}) {
      for (Mechanisms each :
          new Mechanisms[] {Mechanisms.BLT, Mechanisms.INDEPENDENT, Mechanisms.BINARY_TREE}) {
        coversEverySchedule(each.make(), generations, adjacency, share);
      }
    }
  }

  private static void coversEverySchedule(
      Mechanism mechanism, GenerationSchedule generations, Adjacency adjacency, double share) {
    RangeWindow window = window(mechanism, adjacency, generations, share);
    double[][] matrix = mechanism.ofPrefixes().orElseThrow().matrix(ROUNDS);
    for (int[] bound : new int[][] {{1, 1}, {2, 1}, {3, 2}, {4, 3}}) {
      Participation rule = bound[0] == 1
          ? new Participation.Once()
          : new Participation.Scheduled(new ContributionBound(bound[0], bound[1]));
      PrivacyAccountant account =
          account(mechanism, adjacency, rule, generations, Optional.of(window), 0);
      double before = 0;
      for (int t = 1; t <= ROUNDS; t++) {
        double worst = 0;
        for (int set = 1; set < 1 << t; set++) {
          if (isAdmitted(set, bound[0], bound[1])) {
            worst =
                Math.max(worst, Math.sqrt(squared(matrix, generations, t, set, adjacency, window)));
          }
        }
        double stated = account.mu(t);
        assertThat(worst).isLessThanOrEqualTo(stated * (1 + 1e-12));
        assertThat(stated).isGreaterThanOrEqualTo(before);
        boolean alike =
            generations == GenerationSchedule.NONE && mechanism.memory().isPresent();
        if (share < 1 || alike && t == ROUNDS) { // and says not much more than that
          assertThat(stated).isLessThan(1.5 * worst);
        }
        before = stated;
      }
      assertThat(before).isLessThanOrEqualTo(account.muLimit());
    }
  }

  /**
   * Metrics of every admitted record, a budget for each unit that its own book keeps, and noise of
   * the counts that was made for a planned number of rounds: each set of rounds that the book
   * admits one after the other, against what is stated.
   */
  @ParameterizedTest
  @CsvSource({"ZERO_OUT, 0.5, 0", "ZERO_OUT, 1, 0.1", "REPLACE_ONE, 0.5, 0.1", "REPLACE_ONE, 1, 0.3"
  })
  void coversBudgetsAndHorizonsBesideMetrics(Adjacency adjacency, double share, double metrics) {
    for (Mechanism mechanism :
        new Mechanism[] {Mechanisms.BLT.make(), Mechanisms.INDEPENDENT.make()}) {
      double[][] matrix = mechanism.ofPrefixes().orElseThrow().matrix(ROUNDS);
      double once = adjacency.sensitivity(1) / SIGMA * mechanism.sensitivity(ROUNDS);
      double least =
          Math.hypot(adjacency.sensitivity(1) / SIGMA * mechanism.sensitivityLimit(), metrics);
      RangeWindow window = new RangeWindow(
          NUMBERS,
          2,
          RangeCost.sensitivity(NUMBERS, adjacency) / (Math.sqrt(share) * once) * (1 + 1e-12),
          share);
      for (double participations : new double[] {1.01, 2.5, 4.01}) {
        double cap = least * Math.sqrt(participations);
        PrivacyAccountant account = account(
            mechanism,
            adjacency,
            new Participation.Budgeted(cap),
            GenerationSchedule.NONE,
            Optional.of(window),
            metrics);
        Admission book = account.admission().orElseThrow();
        int most = 0;
        for (int t = 1; t <= ROUNDS; t++) {
          double worst = 0;
          for (int set = 1; set < 1 << t; set++) {
            if (isAdmitted(book, set)) {
              most = Math.max(most, Integer.bitCount(set));
              double joint = squared(matrix, GenerationSchedule.NONE, t, set, adjacency, window)
                  + Integer.bitCount(set) * metrics * metrics;
              worst = Math.max(worst, Math.sqrt(joint));
            }
          }
          assertThat(worst).isPositive().isLessThanOrEqualTo(account.mu(t) * (1 + 1e-12));
          assertThat(account.mu(t)).isLessThanOrEqualTo(cap);
        }
        assertThat(most).isPositive();
        if (mechanism.name().equals("independent")) {
          assertThat(most).isEqualTo((int) participations);
        }
        assertThat(account.mu(Long.MAX_VALUE)).isLessThanOrEqualTo(cap);
      }
    }
  }

  private static boolean isAdmitted(Admission book, int set) {
    byte[] history = null;
    for (int i = 0; i < ROUNDS; i++) {
      if ((set >> i & 1) != 0) {
        history = book.admit(history, i + 1);
        if (history == null) {
          return false;
        }
      }
    }
    return true;
  }

  @Test
  void costsNothingBesideTheLimit() {
    for (Mechanism mechanism :
        new Mechanism[] {Mechanisms.BLT.make(), Mechanisms.INDEPENDENT.make()}) {
      RangeWindow window = window(mechanism, Adjacency.ZERO_OUT);
      Participation once = new Participation.Once();
      PrivacyAccountant with = account(mechanism, Adjacency.ZERO_OUT, once, Optional.of(window));
      PrivacyAccountant without = account(mechanism, Adjacency.ZERO_OUT, once, Optional.empty());
      assertThat(with.muLimit()).isEqualTo(without.muLimit());
      double late = without.mu(1_000_000); // the rest of the columns falls slowly
      assertThat(with.mu(1_000_000)).isBetween(late, 1.03 * late);
      assertThat(with.mu(6)).isGreaterThanOrEqualTo(without.mu(6));
    }
  }

  @Test
  void costsNothingBesideTheLimitOfSeveralCandidates() {
    AccountedNoise all =
        new AccountedNoise(Mechanisms.BLT.make(), 1, SIGMA, Adjacency.ZERO_OUT, Candidates.of(4));
    RangeWindow window = window(all.mechanism(), Adjacency.ZERO_OUT);
    PrivacyAccountant[] accounts = new PrivacyAccountant[2];
    for (int i = 0; i < 2; i++) {
      accounts[i] = new PrivacyAccountant(
          all,
          AccountedContribution.RECORDS,
          0,
          1e-6,
          0,
          i == 0 ? Optional.empty() : Optional.of(window));
    }
    assertThat(accounts[1].muLimit()).isEqualTo(accounts[0].muLimit());
    double ofOne = account(
            all.mechanism(), Adjacency.ZERO_OUT, new Participation.Once(), Optional.of(window))
        .mu(6);
    assertThat(accounts[1].mu(6)).isCloseTo(2 * ofOne, within(1e-12));
  }

  /** What would be stated without the share of the gradients is too little. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1})
  void gradientsThatLeaveNoShareCostMore(double share) {
    Mechanism mechanism = Mechanisms.INDEPENDENT.make();
    RangeWindow window = window(mechanism, Adjacency.ZERO_OUT, GenerationSchedule.NONE, share);
    PrivacyAccountant account =
        account(mechanism, Adjacency.ZERO_OUT, new Participation.Once(), Optional.of(window));
    RangeWindow whole = new RangeWindow(NUMBERS, 2, window.sigma(), 0);
    double[][] matrix = mechanism.ofPrefixes().orElseThrow().matrix(ROUNDS);
    assertThat(Math.sqrt(squared(matrix, ROUNDS, 1, Adjacency.ZERO_OUT, whole)))
        .isGreaterThan(1.2 * account.mu(ROUNDS));
  }

  @Test
  void refusesWhatItCannotCount() {
    Participation once = new Participation.Once();
    RangeWindow window = window(Mechanisms.BLT.make(), Adjacency.ZERO_OUT);
    assertThatThrownBy(
            () -> account(Mechanisms.LAPLACE.make(), Adjacency.ZERO_OUT, once, Optional.of(window)))
        .hasMessageContaining("not measured with mechanism laplace");
    RangeWindow loud = new RangeWindow(NUMBERS, 2, window.sigma() / 2, SHARE);
    assertThatThrownBy(
            () -> account(Mechanisms.BLT.make(), Adjacency.ZERO_OUT, once, Optional.of(loud)))
        .hasMessageContaining("sigma must be larger");
    for (long last : new long[] {5, 6}) { // the window has six rounds
      GenerationSchedule generations =
          new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, last);
      ThrowingCallable making = () -> account(
          Mechanisms.INDEPENDENT.make(),
          Adjacency.ZERO_OUT,
          once,
          generations,
          Optional.of(window(Mechanisms.INDEPENDENT.make(), Adjacency.ZERO_OUT)),
          0);
      if (last < 6) {
        assertThatThrownBy(making).hasMessageContaining("must lie in the first generation");
      } else {
        assertThatCode(making).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void windowIsReadAsItIsWritten() {
    RangeWindow window = new RangeWindow(3, 17, 12.75, 0.5);
    assertThat(RangeWindow.parse(window.describe())).contains(window);
    assertThat(RangeWindow.parse("")).isEmpty();
    for (String broken : new String[] {"x", "numbers=3 rounds=17", window.describe() + " "}) {
      assertThatThrownBy(() -> RangeWindow.parse(broken))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
