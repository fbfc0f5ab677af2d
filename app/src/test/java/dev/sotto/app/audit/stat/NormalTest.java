package dev.sotto.app.audit.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalTest {
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
  void knowsTheUpperTail(double x, double expected) {
    assertThat(Normal.upper(x)).isCloseTo(expected, within(1e-12 * expected));
    assertThat(Normal.upper(-x)).isCloseTo(1 - expected, within(1e-15));
    assertThat(Normal.cdf(-x)).isEqualTo(Normal.upper(x));
  }

  @ParameterizedTest
  @CsvSource({
    "0.3, 0.5244005127080409",
    "1e-3, 3.090232306167813",
    "1e-9, 5.9978070150076865",
    "1e-100, 21.273453560965322"
  })
  void knowsQuantiles(double p, double expected) {
    assertThat(Normal.upperQuantile(p)).isCloseTo(expected, within(1e-11));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-20, 0.0123, 0.4999, 0.5, 0.7, 0.999})
  void findsTheWayBack(double p) {
    assertThat(Normal.upper(Normal.upperQuantile(p))).isCloseTo(p, within(1e-9 * p));
  }

  @Test
  void endsWhereProbabilitiesEnd() {
    assertThat(Normal.upperQuantile(0)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(Normal.upperQuantile(1)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThatIllegalArgumentException().isThrownBy(() -> Normal.upperQuantile(Double.NaN));
  }
}
