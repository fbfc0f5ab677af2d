package dev.sotto.evaluation.audit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunsTradeOffTest {
  private static final double RISK = 0.05;

  /** The threshold by another program. */
  @ParameterizedTest
  @CsvSource({
    "100, 35, 0.2, 0.5733135086912277",
    "1000, 100, 1, 0.9032584288904366",
    "10, 10, 0.2, 0.539827837277029",
    "100, 2, 0.1933, 0.6264661595823001",
    "100, 2, 0, 0.5"
  })
  void statesTheLargestShareOfRightGuesses(int canaries, int guesses, double mu, double expected) {
    assertThat(RunsTradeOff.mostRight(canaries, guesses, mu))
        .isGreaterThanOrEqualTo(expected)
        .isCloseTo(expected, within(2e-9));
  }

  /** Right guesses of runs whose canaries lie exactly mu apart, the strongest scores first. */
  private static double[] right(int runs, int canaries, int guesses, double mu, long seed) {
    SplittableRandom random = Seed.splittable(seed);
    double[] right = new double[runs];
    for (int run = 0; run < runs; run++) {
      double[] marked = new double[canaries]; // scores; the last bit is the coin
      for (int i = 0; i < canaries; i++) {
        boolean in = random.nextBoolean();
        long bits = Double.doubleToLongBits((in ? mu : -mu) / 2 + random.nextGaussian());
        marked[i] = Double.longBitsToDouble(bits & ~1L | (in ? 1 : 0));
      }
      Arrays.sort(marked);
      for (int i = 0; i < guesses / 2; i++) {
        right[run] += (Double.doubleToLongBits(marked[i]) & 1) == 0 ? 1 : 0;
        right[run] += (Double.doubleToLongBits(marked[canaries - 1 - i]) & 1) == 1 ? 1 : 0;
      }
    }
    return right;
  }

  /**
   * The true mu is refuted in at most the share {@code RISK} of the audits. The twin: half of it
   * nearly always is. 40 or more of 200 audits refute by chance in less than one of 10^10 cases.
   */
  @ParameterizedTest
  @CsvSource({"64, 100, 40, 0.8", "100, 100, 100, 0.8", "4, 1000, 200, 1"})
  void refutesTheTruthSeldomAndHalfOfItOften(int runs, int canaries, int guesses, double mu) {
    int truth = 0;
    int half = 0;
    for (int seed = 0; seed < 200; seed++) {
      double[] right = right(runs, canaries, guesses, mu, seed);
      truth += RunsTradeOff.refutes(canaries, guesses, right, mu, RISK) ? 1 : 0;
      half += RunsTradeOff.refutes(canaries, guesses, right, mu / 2, RISK) ? 1 : 0;
    }
    assertThat(truth).isLessThan(40);
    if (runs > 4) {
      assertThat(half).isGreaterThan(190);
    }
  }

  /**
   * All guesses of a run are right at once or none is, which the mean allows: the truth is refuted
   * no more often than the risk says.
   */
  @ParameterizedTest
  @CsvSource({"0.2", "1"})
  void holdsWhereARunGivesAllAwayAtOnce(double mu) {
    double most = RunsTradeOff.mostRight(100, 100, mu);
    int refuted = 0;
    int audits = 4000;
    for (int seed = 0; seed < audits; seed++) {
      SplittableRandom random = Seed.splittable(seed);
      double[] right = new double[4];
      for (int run = 0; run < 4; run++) {
        right[run] = random.nextDouble() < most ? 100 : 0;
      }
      refuted += RunsTradeOff.refutes(100, 100, right, mu, 0.2) ? 1 : 0;
    }
    assertThat(refuted / (double) audits).isLessThan(0.2 + 5 * Math.sqrt(0.16 / audits));
  }

  /**
   * The demo: 577 runs of 909 canaries whose worlds lie at most 0.1933 apart. Its ledger's epsilon
   * is 1, 0.804 is what 0.1933 comes to, and 0.7 is proved in each of a hundred audits.
   */
  @Test
  void provesSevenTenthsNearlyAlways() {
    int guesses = 318;
    double accuracy = accuracy(909, guesses, 0.1925);
    SplittableRandom random = Seed.splittable(5);
    for (int audit = 0; audit < 100; audit++) {
      double[] right = new double[577];
      for (int run = 0; run < right.length; run++) {
        for (int i = 0; i < guesses; i++) {
          right[run] += random.nextDouble() < accuracy ? 1 : 0;
        }
      }
      double mu = RunsTradeOff.muLower(909, guesses, right, RISK);
      assertThat(GaussianDp.epsilon(mu, 1e-6)).isBetween(0.7, 0.804);
    }
  }

  /** How often the strongest scores of canaries mu apart are right. */
  private static double accuracy(int canaries, int guesses, double mu) {
    double share = (double) guesses / canaries;
    double low = 0;
    double high = 10;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      double all =
          TailProbability.normal(middle - mu / 2) + TailProbability.normal(middle + mu / 2);
      if (all > share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return TailProbability.normal(low - mu / 2) / share;
  }

  @Test
  void provesNothingFromHalfTheGuesses() {
    double[] half = new double[100];
    Arrays.fill(half, 50);
    assertThat(RunsTradeOff.muLower(1000, 100, half, RISK)).isZero();
    assertThat(RunsTradeOff.muLower(1000, 100, new double[100], RISK)).isZero();
    assertThat(RunsTradeOff.muLower(1000, 100, new double[0], RISK)).isZero();
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatIllegalArgumentException().isThrownBy(() -> RunsTradeOff.mostRight(10, 11, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> RunsTradeOff.mostRight(10, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> RunsTradeOff.mostRight(10, 5, -1));
    double[] right = {3, 6};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunsTradeOff.refutes(10, 5, right, 1, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunsTradeOff.refutes(10, 8, right, 1, Double.NaN));
  }
}
