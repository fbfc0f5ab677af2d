package dev.sotto.learner.mechanism.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SquareRootTest {
  /**
   * docs/development/figures.md: "Privacy" gives the roots, "BLT" the errors.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1e-15",
    "3, 1.1792476415, 1e-10",
    "10, 1.3384109763, 1e-10",
    "1000, 1.8069319524, 1e-10",
    "1000000, 2.3374963886, 1e-10",
  })
  void hasTheSensitivitiesOfThePage(long rounds, double sensitivity, double tolerance) {
    assertThat(Math.sqrt(SquareRoot.error(rounds))).isCloseTo(sensitivity, within(tolerance));
  }

  @ParameterizedTest
  @CsvSource({"64, 2.3888", "1024, 3.2726", "16384, 4.1552", "1048576, 5.4790"})
  void hasTheErrorsOfThePage(long rounds, double error) {
    assertThat(SquareRoot.error(rounds)).isCloseTo(error, within(5e-5));
  }

  @Test
  void goesOnSmoothlyWhereItStopsSumming() {
    for (long rounds : new long[] {1024, 1025, 4000, 1 << 20}) {
      double summed = SquareRoot.summed(rounds);
      assertThat(SquareRoot.error(rounds)).isCloseTo(summed, within(1e-12 * summed));
      assertThat(SquareRoot.expanded(rounds)).isCloseTo(summed, within(1e-12 * summed));
    }
  }

  @Test
  void needsARound() {
    assertThatIllegalArgumentException().isThrownBy(() -> SquareRoot.error(0));
  }
}
