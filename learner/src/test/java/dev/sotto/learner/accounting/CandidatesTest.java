package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Several models over the same slots: mu^2 of all of them is the sum of theirs. */
class CandidatesTest {
  private static final double SIGMA = 4;
  private static final double RATIO = 0.25;
  private static final Budget BUDGET = new Budget(2, 1e-6);

  private static PrivacyAccountant account(
      Mechanism mechanism, Participation participation, Candidates candidates, double sigma) {
    boolean record = participation instanceof Participation.Once;
    return new PrivacyAccountant(
        new AccountedNoise(mechanism, 1, sigma, Adjacency.ZERO_OUT, candidates),
        new AccountedContribution(
            record ? PrivacyUnit.RECORD : PrivacyUnit.KEY, participation, GenerationSchedule.NONE),
        RATIO,
        BUDGET.delta());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "LAPLACE")
  void costTheRootOfTheSumOfSquares(Mechanisms each) {
    for (Participation participation : new Participation[] {
      new Participation.Once(), new Participation.Scheduled(new ContributionBound(12, 3))
    }) {
      PrivacyAccountant alone = account(each.make(), participation, Candidates.ALONE, SIGMA);
      for (int number : new int[] {2, 3, 16}) {
        PrivacyAccountant all = account(each.make(), participation, Candidates.of(number), SIGMA);
        for (long rounds : new long[] {1, 7, 1000}) {
          double sum = Math.sqrt(number) * alone.mu(rounds);
          assertThat(all.mu(rounds)).isBetween(sum * (1 - 1e-15), sum * (1 + 1e-14));
          assertThat(all.matrixSensitivity(rounds)).isEqualTo(alone.matrixSensitivity(rounds));
        }
      }
    }
  }

  private static int admitted(Candidates candidates) {
    Admission rule = account(Mechanisms.BLT.make(), new Participation.Budgeted(0.9), candidates, 12)
        .admission()
        .orElseThrow();
    byte[] history = null;
    int admitted = 0;
    for (long round = 1; round <= 400; round++) {
      byte[] next = rule.admit(history, round);
      if (next != null) {
        history = next;
        admitted++;
      }
    }
    return admitted;
  }

  /** What a unit spends with each of them, in as many rounds in a row. */
  private static double spent(int number, int rounds) {
    PrivacyAccountant alone = account(
        Mechanisms.BLT.make(),
        new Participation.Scheduled(new ContributionBound(rounds, 1)),
        Candidates.ALONE,
        12);
    return Math.sqrt(number) * alone.mu(rounds);
  }

  /** A unit that is admitted to all of them spends what its budget says, and no more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void leaveAUnitItsBudget(int number) {
    int rounds = admitted(Candidates.of(number));
    assertThat(rounds).isPositive();
    assertThat(spent(number, rounds)).isLessThanOrEqualTo(0.9 * (1 + 1e-9));
    PrivacyAccountant all =
        account(Mechanisms.BLT.make(), new Participation.Budgeted(0.9), Candidates.of(number), 12);
    assertThat(all.mu(1 << 20)).isLessThanOrEqualTo(0.9);
  }

  /** The broken twin: a rule that knows of one of them alone. */
  @Test
  void wouldOverdrawIfEachCountedForItselfAlone() {
    assertThat(spent(5, admitted(Candidates.ALONE))).isGreaterThan(1.2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  void getNoiseUnderWhichAllOfThemFitTheBudget(int number) {
    AccountedNoise noise =
        new AccountedNoise(Mechanisms.BLT.make(), 1, 1, Adjacency.ZERO_OUT, Candidates.of(number));
    NoiseCalibration calibration =
        new NoiseCalibration(BUDGET, noise, GenerationSchedule.NONE, 0.1);
    double sigma = calibration.sigma(ContributionBound.ONE, 1000);
    double metrics = calibration.metricsSigma(ContributionBound.ONE, 1000);
    PrivacyAccountant all = new PrivacyAccountant(
        new AccountedNoise(noise.mechanism(), 1, sigma, Adjacency.ZERO_OUT, Candidates.of(number)),
        AccountedContribution.of(new Participation.Once(), GenerationSchedule.NONE),
        PrivateMetrics.sensitivity(Adjacency.ZERO_OUT) / metrics,
        BUDGET.delta());
    assertThat(all.allows(BUDGET, 1000)).isTrue();
    assertThat(all.mu(1000)).isCloseTo(BUDGET.muLimit(), within(1e-9));
    double alone = new NoiseCalibration(
            BUDGET,
            new AccountedNoise(noise.mechanism(), 1, 1, Adjacency.ZERO_OUT),
            GenerationSchedule.NONE,
            0.1)
        .sigma(ContributionBound.ONE, 1000);
    assertThat(sigma).isCloseTo(alone * Math.sqrt(number), within(1e-9 * sigma));
  }

  @Test
  void needNoiseWhoseCostsAddUpInSquares() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AccountedNoise(
            Mechanisms.LAPLACE.make(), 1, 1, Adjacency.ZERO_OUT, Candidates.of(2)))
        .withMessageContaining("candidates must be 1 with mechanism laplace");
    assertThatIllegalArgumentException().isThrownBy(() -> Candidates.of(0));
    assertThatIllegalArgumentException().isThrownBy(() -> Candidates.of(Candidates.MOST + 1));
    assertThat(Candidates.ALONE.factor()).isEqualTo(1);
  }

  @Test
  void haveSettingsWhereThereAreSeveral() {
    assertThat(new Candidates(2, "ab").digest()).isEqualTo("ab");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Candidates(1, "ab"))
        .withMessageContaining("a model that learns alone has no other settings");
  }

  @Test
  void sayWhoseCostsAreTold() {
    assertThat(Candidates.ALONE.words()).isEmpty();
    assertThat(Candidates.of(3).words()).isEqualTo(" of all candidates");
    assertThat(Candidates.ALONE.describe().parts()).isEmpty();
    assertThat(Candidates.of(3).describe().parts().toString())
        .contains("3 candidates learn from the same records", "1.7321 times the noise");
    assertThat(Candidates.ALONE.describePublished().parts()).isEmpty();
    assertThat(Candidates.of(4).describePublished().parts().toString())
        .contains("of all 4 candidates");
  }
}
