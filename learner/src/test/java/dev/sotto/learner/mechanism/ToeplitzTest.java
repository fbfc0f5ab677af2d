package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The slow reference against the square-root numbers of docs/development/figures.md, "Privacy",
 * before others are held to it.
 */
class ToeplitzTest {
  @ParameterizedTest
  @CsvSource({
    "3, 1, 1, 1.1792476415",
    "10, 1, 1, 1.3384109763",
    "1000, 1, 1, 1.8069319524",
    "16, 2, 4, 2.3363058951",
    "64, 4, 16, 3.9606202681",
    "1000, 5, 100, 5.8592409776",
    "1000, 10, 10, 13.1009853748",
  })
  void hasTheNumbersOfThePage(int rounds, int most, int separation, double expected) {
    double squared = Toeplitz.squareRoot(rounds).earliest(rounds, most, separation);
    assertThat(Math.sqrt(squared)).isCloseTo(expected, within(1e-10));
  }

  /**
   * docs/blt.md, "Definition and generation": without falling coefficients the earliest schedule is
   * not the worst.
   */
  @Test
  void findsAWorseScheduleThanTheEarliestWhereCoefficientsRise() {
    Toeplitz rising = new Toeplitz(new double[] {1, 0.1, 0.9, 0, 0, 0});
    assertThat(rising.earliest(6, 2, 1)).isCloseTo(4.02, within(1e-12));
    assertThat(rising.worst(6, 2, 1)).isCloseTo(5.44, within(1e-12));
  }
}
