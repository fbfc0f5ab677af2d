package dev.sotto.evaluation.audit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneRunTradeOffTest {
  /**
   * Scores of 10,000 canaries in and 10,000 out, normal and a shift apart; the best threshold, its
   * risk divided by the number of thresholds. Another library (JAX Privacy) states these epsilons
   * for both bounds.
   */
  @ParameterizedTest
  @CsvSource({
    "386, 3376, 2807, 1.13346, 406, 379, 2.164749",
    "374, 4666, 4499, 2.311945, 938, 934, 4.7218075",
    "140, 8233, 8223, 4.395568, 5436, 5436, 9.133752"
  })
  void provesWhatAnotherLibraryProves(
      int thresholds,
      int guesses,
      int right,
      double plain,
      int guessesByTradeOff,
      int rightByTradeOff,
      double byTradeOff) {
    double risk = 0.05 / thresholds;
    double delta = 1e-6;
    assertThat(OneRunBound.epsilonLower(20_000, guesses, right, delta, risk))
        .isCloseTo(plain, within(1e-5 * plain));
    double mu = OneRunTradeOff.muLower(20_000, guessesByTradeOff, rightByTradeOff, risk);
    assertThat(GaussianDp.epsilon(mu, delta)).isCloseTo(byTradeOff, within(1e-5 * byTradeOff));
  }

  /**
   * Canaries whose worlds lie exactly mu apart, each seen alone: mu is refuted in at most the share
   * {@code risk} of the audits. The twin: half of that mu nearly always is, where it can be proved.
   * At a risk of 0.05, 60 or more of 400 audits refute by chance in less than one of 10^12 cases.
   */
  @ParameterizedTest
  @CsvSource({"1000, 100", "2000, 200", "2000, 1000"})
  void refutesTheTruthSeldomAndHalfOfItOften(int canaries, int guesses) {
    double mu = 1;
    double risk = 0.05;
    int truth = 0;
    int half = 0;
    for (int i = 0; i < 400; i++) {
      int right = right(canaries, guesses, mu, Seed.random(i));
      truth += OneRunTradeOff.refutes(canaries, guesses, right, mu, risk) ? 1 : 0;
      half += OneRunTradeOff.refutes(canaries, guesses, right, mu / 2, risk) ? 1 : 0;
    }
    assertThat(truth).isLessThan(60);
    assertThat(half).isGreaterThan(200);
  }

  private static int right(int canaries, int guesses, double mu, Random random) {
    double[] marked = new double[canaries]; // evidence; its last bit is the coin
    for (int i = 0; i < canaries; i++) {
      boolean in = random.nextBoolean();
      double evidence = (in ? mu : -mu) / 2 + random.nextGaussian();
      long bits = Double.doubleToLongBits(evidence) & ~1L | (in ? 1 : 0);
      marked[i] = Double.longBitsToDouble(bits);
    }
    Arrays.sort(marked);
    int right = 0;
    for (int i = 0; i < guesses / 2; i++) {
      right += (Double.doubleToLongBits(marked[i]) & 1) == 0 ? 1 : 0;
      right += (Double.doubleToLongBits(marked[canaries - 1 - i]) & 1) == 1 ? 1 : 0;
    }
    return right;
  }

  @Test
  void provesNothingFromHalfTheGuesses() {
    assertThat(OneRunTradeOff.muLower(1000, 1000, 500, 0.05)).isZero();
    assertThat(OneRunTradeOff.muLower(1000, 1000, 0, 0.05)).isZero();
    assertThat(OneRunTradeOff.muLower(10, 0, 0, 0.05)).isZero();
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OneRunTradeOff.refutes(10, 11, 3, 1, 0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> OneRunTradeOff.refutes(10, 5, 6, 1, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OneRunTradeOff.refutes(10, 5, 3, -1, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OneRunTradeOff.refutes(10, 5, 3, 1, Double.NaN));
  }
}
