package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the paper of the heavy-tailed algorithms calls epsilon is the mu of a Gaussian mechanism, and
 * rho = mu^2 / 2. Acceptance check 1 of its page, to a relative 1e-5.
 */
class HeavyTailConversionTest {
  private static void near(double value, double expected) {
    assertThat(value).isCloseTo(expected, within(1e-5 * expected));
  }

  /** Of rho-zCDP (Bun and Steinke 2016, Proposition 1.3): what papers quote. */
  private static double epsilon(double rho, double delta) {
    return rho + 2 * Math.sqrt(-rho * Math.log(delta));
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 1e-6, 0.004444, 0.124106",
    "1, 1e-5, 0.020820, 0.268051",
    "1, 1e-6, 0.017469, 0.236704",
    "4, 1e-6, 0.253936, 0.837859",
    "8, 1e-5, 1.049136, 1.666031"
  })
  void convertsTargets(double epsilon, double delta, double rho, double mu) {
    assertThat(GaussianDp.mu(epsilon, delta)).isCloseTo(mu, within(1e-6)); // six decimals
    double log = -Math.log(delta);
    double simple = Math.pow(Math.sqrt(log + epsilon) - Math.sqrt(log), 2);
    assertThat(simple).isCloseTo(rho, within(1e-6));
    near(epsilon(simple, delta), epsilon);
  }

  @Test
  void convertsAMuOfOne() {
    near(GaussianDp.epsilon(1, 1e-5), 4.377178);
    near(epsilon(0.5, 1e-5), 5.298526);
    near(2 * Math.sqrt(-Math.log(1e-5)), 6.786140);
    near(GaussianDp.delta(1, 1), 0.126937);
  }

  /** P2, P3 and P15 of the page: what careless batches would have cost. */
  @Test
  void tellsWhatCarelessBatchesCost() {
    near(epsilon(1, 1e-5), 7.786140); // the same slot in two batches
    assertThat(Math.pow(1000 / 7.0 / 142, 2)).isCloseTo(1.012, within(5e-4));
    assertThat(Math.pow(10 / 6.0, 2)).isCloseTo(2.78, within(5e-3));
    double once = 0.020820;
    assertThat(epsilon(9 * once, 1e-5)).isCloseTo(3.125, within(1e-3));
    assertThat(epsilon(3 * once, 1e-5)).isCloseTo(1.758, within(1e-3));
  }
}
