package dev.sotto.app.audit.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChiSquareTest {
  /** By another program: upper and lower tail. */
  @ParameterizedTest
  @CsvSource({
    "12.3, 7, 0.0911148860003131, 0.9088851139996869",
    "0.1, 1, 0.7518296340458492, 0.24817036595415076",
    "10500, 10000, 0.00024794736798933036, 0.99975205263201067",
    "9400, 10000, 0.999992402935138, 7.597064861941285e-06",
    "1.01e6, 1000000, 9.068528823262108e-13, 1"
  })
  void knowsBothTails(double x, long degrees, double upper, double lower) {
    assertThat(ChiSquare.gammaUpper(x / 2, degrees / 2.0)).isCloseTo(upper, within(1e-8 * upper));
    assertThat(ChiSquare.gammaLower(x / 2, degrees / 2.0)).isCloseTo(lower, within(1e-8 * lower));
    assertThat(ChiSquare.twoSided(x, degrees))
        .isCloseTo(Math.min(1, 2 * Math.min(upper, lower)), within(1e-7 * Math.min(upper, lower)));
  }

  @Test
  void isTheExponentialLawForTwoDegrees() {
    for (double x : new double[] {1e-6, 0.5, 3, 40, 700}) {
      assertThat(ChiSquare.gammaUpper(x / 2, 1))
          .isCloseTo(StrictMath.exp(-x / 2), within(1e-12 * StrictMath.exp(-x / 2) + 1e-16));
    }
  }

  @Test
  void saysThatNoSizeAtAllIsImpossible() {
    assertThat(ChiSquare.twoSided(0, 10)).isZero();
    assertThat(ChiSquare.twoSided(1e9, 10)).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> ChiSquare.gammaUpper(Double.NaN, 1));
  }
}
