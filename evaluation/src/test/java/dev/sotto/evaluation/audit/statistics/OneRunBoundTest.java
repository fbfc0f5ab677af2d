package dev.sotto.evaluation.audit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneRunBoundTest {
  /** The theorem's formula by another program. */
  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 700, 0.5, 0, 1.665884956106773e-07",
    "1000, 100, 80, 1, 1e-5, 0.07300911594917776",
    "250000, 984, 659, 1, 1e-6, 0.9999921542453079",
    "250000, 984, 800, 1, 1e-6, 0.0046154384489498455",
    "100, 100, 100, 3, 1e-3, 0.034270048720502516"
  })
  void statesThePValueOfTheTheorem(
      int canaries, int guesses, int right, double epsilon, double delta, double expected) {
    assertThat(OneRunBound.pValue(canaries, guesses, right, epsilon, delta))
        .isGreaterThanOrEqualTo(expected)
        .isCloseTo(expected, within(3e-9 * expected));
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1000, 700, 0, 0.05, 0.7320108623573903",
    "1000, 100, 80, 1e-5, 0.05, 0.9553185349552558",
    "250000, 984, 659, 1e-6, 0.05, 0.5866783958352997",
    "1000, 1000, 1000, 1e-5, 0.05, 5.782283135394014"
  })
  void findsTheLowerBound(
      int canaries, int guesses, int right, double delta, double risk, double expected) {
    assertThat(OneRunBound.epsilonLower(canaries, guesses, right, delta, risk))
        .isLessThanOrEqualTo(expected)
        .isCloseTo(expected, within(1e-6));
  }

  @Test
  void provesNothingFromHalfTheGuesses() {
    assertThat(OneRunBound.epsilonLower(1000, 1000, 500, 0, 0.05)).isZero();
    assertThat(OneRunBound.epsilonLower(1000, 1000, 0, 0, 0.05)).isZero();
    assertThat(OneRunBound.epsilonLower(10, 0, 0, 0, 0.05)).isZero();
    assertThat(OneRunBound.epsilonLower(1000, 10, 10, 0.5, 0.05)).isZero(); // delta explains all
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatIllegalArgumentException().isThrownBy(() -> OneRunBound.pValue(10, 11, 3, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> OneRunBound.pValue(10, 5, 6, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> OneRunBound.pValue(10, 5, 3, -1, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OneRunBound.pValue(10, 5, 3, 1, Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OneRunBound.epsilonLower(10, 5, 3, 0.1, Double.NaN));
  }

  /**
   * Randomised response that keeps each coin with probability e^eps / (1 + e^eps), and with
   * probability {@code delta} shows it in clear. Whoever guesses what is shown first where it is in
   * clear, then by the response, does as well as anybody can.
   */
  private static double proved(
      int canaries, int guesses, double epsilon, double delta, double risk, long seed) {
    SplittableRandom random = Seed.splittable(seed);
    double honest = 1 / (1 + StrictMath.exp(-epsilon));
    int clear = 0;
    for (int i = 0; i < canaries; i++) {
      clear += random.nextDouble() < delta ? 1 : 0;
    }
    int right = Math.min(clear, guesses);
    for (int i = right; i < guesses; i++) {
      right += random.nextDouble() < honest ? 1 : 0;
    }
    return OneRunBound.epsilonLower(canaries, guesses, Math.min(right, guesses), delta, risk);
  }

  /** At risk 0.2, so that many failures are expected where the bound is tight. */
  @ParameterizedTest
  @CsvSource({"0.5, 0, 400, 400", "2, 0, 400, 400", "1, 0.002, 400, 100", "3, 0.01, 200, 20"})
  void isWrongNoMoreOftenThanItSays(double epsilon, double delta, int canaries, int guesses) {
    int runs = 2000;
    double risk = 0.2;
    int wrong = 0;
    for (int run = 0; run < runs; run++) {
      wrong += proved(canaries, guesses, epsilon, delta, risk, run) > epsilon ? 1 : 0;
    }
    // With this share of failures exactly, more of them happen once in 10^6 repetitions (5 errors).
    assertThat(wrong / (double) runs).isLessThan(risk + 5 * Math.sqrt(risk * (1 - risk) / runs));
  }

  /** The twin: held against a smaller epsilon than the true one, it is wrong nearly always. */
  @Test
  void refutesAClaimThatIsTooSmall() {
    for (int run = 0; run < 100; run++) {
      // 10,000 guesses at 0.731 are 12 errors above what epsilon 0.7 allows.
      assertThat(proved(10_000, 10_000, 1, 0, 0.05, run)).isGreaterThan(0.7);
    }
  }

  /** For many canaries the bound comes near: 5 errors of the accuracy, and the risk's 1.64. */
  @ParameterizedTest
  @CsvSource({"0.3, 0", "1, 0", "1, 1e-7", "4, 0"})
  void comesNearForManyCanaries(double epsilon, double delta) {
    int many = 100_000;
    double accuracy = 1 / (1 + StrictMath.exp(-epsilon));
    double error = 1 / Math.sqrt(many * accuracy * (1 - accuracy)); // of the logit
    assertThat(proved(many, many, epsilon, delta, 0.05, 5))
        .isBetween(epsilon - (5 + 1.65) * error - 0.01, epsilon + 5 * error);
  }

  @Test
  void learnsLessWhereDeltaExplainsMore() {
    double before = Double.POSITIVE_INFINITY;
    for (double delta : new double[] {0, 1e-7, 1e-6, 1e-5, 1e-4}) {
      double now = OneRunBound.epsilonLower(10_000, 1000, 800, delta, 0.05);
      assertThat(now).isLessThanOrEqualTo(before);
      before = now;
    }
    assertThat(before).isLessThan(OneRunBound.epsilonLower(10_000, 1000, 800, 0, 0.05) - 0.01);
  }
}
