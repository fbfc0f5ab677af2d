package dev.sotto.evaluation.audit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TailProbabilityTest {
  /** All sums in exact decimal fractions. */
  @ParameterizedTest
  @CsvSource({"1, 0.25", "7, 0.5", "40, 0.125", "40, 0.875", "200, 0.0625"})
  void binomialAgreesWithExactSums(int trials, String chance) {
    BigDecimal p = new BigDecimal(chance);
    BigDecimal q = BigDecimal.ONE.subtract(p);
    BigDecimal tail = BigDecimal.ZERO;
    BigDecimal ways = BigDecimal.ONE; // of choosing k of the trials, from k = trials down
    for (int k = trials; k >= 0; k--) {
      tail = tail.add(ways.multiply(p.pow(k)).multiply(q.pow(trials - k)));
      double exact = tail.round(MathContext.DECIMAL64).doubleValue();
      assertThat(TailProbability.binomial(k, trials, p.doubleValue()))
          .isCloseTo(exact, within(1e-11 * exact));
      ways = ways.multiply(BigDecimal.valueOf(k))
          .divide(BigDecimal.valueOf(trials - k + 1), MathContext.UNLIMITED);
    }
    assertThat(TailProbability.binomial(trials + 1, trials, p.doubleValue())).isZero();
    assertThat(TailProbability.binomial(-3, trials, p.doubleValue())).isEqualTo(1);
  }

  /** By another program. */
  @Test
  void binomialAgreesWithAnotherProgram() {
    assertThat(TailProbability.binomial(660, 984, 0.6))
        .isCloseTo(2.7190930274584135e-06, within(1e-9 * 2.7e-6));
    assertThat(TailProbability.binomial(100, 1000, 0.05))
        .isCloseTo(8.410251084877321e-11, within(1e-9 * 8.4e-11));
    assertThat(TailProbability.binomialTwoSided(30, 1000, 0.05))
        .isCloseTo(2 * 0.0012770679174797827, within(1e-11));
    int draws = 925_696;
    assertThat(TailProbability.binomial(2600, draws, 2 * TailProbability.normal(3)))
        .isCloseTo(0.0227855537947713, within(1e-10));
  }

  @Test
  void binomialCountsBothSides() {
    assertThat(TailProbability.binomialTwoSided(50, 100, 0.5)).isEqualTo(1);
    double upper = TailProbability.binomial(70, 100, 0.5);
    assertThat(TailProbability.binomialTwoSided(70, 100, 0.5)).isCloseTo(2 * upper, within(1e-15));
    assertThat(TailProbability.binomialTwoSided(30, 100, 0.5)).isCloseTo(2 * upper, within(1e-15));
    assertThat(TailProbability.binomialTwoSided(0, 1_000_000, 0.1)).isLessThan(1e-300);
  }

  @Test
  void binomialIncludesCertainties() {
    assertThat(TailProbability.binomial(10, 10, 1)).isEqualTo(1);
    assertThat(TailProbability.binomial(1, 10, 0)).isZero();
    assertThat(TailProbability.binomial(0, 0, 0.3)).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TailProbability.binomial(1, 3, Double.NaN));
  }

  /** By another program: upper and lower tail. */
  @ParameterizedTest
  @CsvSource({
    "12.3, 7, 0.0911148860003131, 0.9088851139996869",
    "0.1, 1, 0.7518296340458492, 0.24817036595415076",
    "10500, 10000, 0.00024794736798933036, 0.99975205263201067",
    "9400, 10000, 0.999992402935138, 7.597064861941285e-06",
    "1.01e6, 1000000, 9.068528823262108e-13, 1"
  })
  void chiSquareTakesTheSmallerTail(double x, long degrees, double upper, double lower) {
    assertThat(TailProbability.chiSquareTwoSided(x, degrees))
        .isCloseTo(Math.min(1, 2 * Math.min(upper, lower)), within(1e-8 * Math.min(upper, lower)));
  }

  @Test
  void chiSquareIsExponentialForTwoDegrees() {
    for (double x : new double[] {1e-6, 0.5, 3, 40, 700}) {
      double upper = StrictMath.exp(-x / 2);
      double tail = Math.min(upper, -StrictMath.expm1(-x / 2));
      assertThat(TailProbability.gammaTwoSided(x / 2, 1)).isCloseTo(2 * tail, within(1e-12 * tail));
    }
  }

  @Test
  void chiSquareCallsAbsurdSizesImpossible() {
    assertThat(TailProbability.chiSquareTwoSided(0, 10)).isZero();
    assertThat(TailProbability.chiSquareTwoSided(1e9, 10)).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TailProbability.gammaTwoSided(Double.NaN, 1));
  }

  /** By another program. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 0.3085375387259869",
    "1, 0.15865525393145707",
    "2.999, 0.0013543365337271057",
    "3, 0.0013498980316300933",
    "5, 2.866515718791933e-07",
    "10, 7.61985302416047e-24",
    "30, 4.906713927147908e-198"
  })
  void normalAgreesWithAnotherProgram(double x, double expected) {
    assertThat(TailProbability.normal(x)).isCloseTo(expected, within(1e-12 * expected));
    assertThat(TailProbability.normal(-x)).isCloseTo(1 - expected, within(1e-15));
  }

  @ParameterizedTest
  @CsvSource({
    "0.3, 0.5244005127080409",
    "1e-3, 3.090232306167813",
    "1e-9, 5.9978070150076865",
    "1e-100, 21.273453560965322"
  })
  void normalQuantilesAgreeWithAnotherProgram(double p, double expected) {
    assertThat(TailProbability.normalQuantile(p)).isCloseTo(expected, within(1e-11));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-20, 0.0123, 0.4999, 0.5, 0.7, 0.999})
  void normalQuantilesInvertTheTail(double p) {
    assertThat(TailProbability.normal(TailProbability.normalQuantile(p)))
        .isCloseTo(p, within(1e-9 * p));
  }

  @Test
  void normalQuantilesEndWhereProbabilitiesEnd() {
    assertThat(TailProbability.normalQuantile(0)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(TailProbability.normalQuantile(1)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TailProbability.normalQuantile(Double.NaN));
  }
}
