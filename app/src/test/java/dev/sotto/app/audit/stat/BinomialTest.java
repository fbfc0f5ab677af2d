package dev.sotto.app.audit.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinomialTest {
  /** All sums in exact decimal fractions. */
  @ParameterizedTest
  @CsvSource({"1, 0.25", "7, 0.5", "40, 0.125", "40, 0.875", "200, 0.0625"})
  void agreesWithExactSums(int trials, String chance) {
    BigDecimal p = new BigDecimal(chance);
    BigDecimal q = BigDecimal.ONE.subtract(p);
    Binomial law = new Binomial(trials, p.doubleValue());
    BigDecimal tail = BigDecimal.ZERO;
    BigDecimal ways = BigDecimal.ONE; // of choosing k of the trials, from k = trials down
    for (int k = trials; k >= 0; k--) {
      tail = tail.add(ways.multiply(p.pow(k)).multiply(q.pow(trials - k)));
      double exact = tail.round(MathContext.DECIMAL64).doubleValue();
      assertThat(law.atLeast(k)).isCloseTo(exact, within(1e-11 * exact));
      ways = ways.multiply(BigDecimal.valueOf(k))
          .divide(BigDecimal.valueOf(trials - k + 1), MathContext.UNLIMITED);
    }
    assertThat(law.atLeast(trials + 1)).isZero();
    assertThat(law.atLeast(-3)).isEqualTo(1);
  }

  /** By another program. */
  @Test
  void agreesWithAnotherProgram() {
    assertThat(new Binomial(984, 0.6).atLeast(660))
        .isCloseTo(2.7190930274584135e-06, within(1e-9 * 2.7e-6));
    assertThat(new Binomial(1000, 0.05).atLeast(100))
        .isCloseTo(8.410251084877321e-11, within(1e-9 * 8.4e-11));
    assertThat(new Binomial(1000, 0.05).atMost(30)).isCloseTo(0.0012770679174797827, within(1e-11));
    int draws = 925_696;
    assertThat(new Binomial(draws, 2 * Normal.upper(3)).atLeast(2600))
        .isCloseTo(0.0227855537947713, within(1e-10));
  }

  @Test
  void boundsAChanceFromAbove() {
    assertThat(Binomial.chanceAtMost(3, 1000, 1e-6)).isCloseTo(0.021155614316716816, within(1e-10));
    assertThat(Binomial.chanceAtMost(0, 1000, 1e-6)).isCloseTo(0.013720514368789516, within(1e-10));
    assertThat(Binomial.chanceAtMost(5, 5, 0.01)).isEqualTo(1);
  }

  @Test
  void countsBothSides() {
    assertThat(Binomial.twoSided(50, 100, 0.5)).isEqualTo(1);
    double upper = new Binomial(100, 0.5).atLeast(70);
    assertThat(Binomial.twoSided(70, 100, 0.5)).isCloseTo(2 * upper, within(1e-15));
    assertThat(Binomial.twoSided(30, 100, 0.5)).isCloseTo(2 * upper, within(1e-15));
    assertThat(Binomial.twoSided(0, 1_000_000, 0.1)).isLessThan(1e-300);
  }

  @Test
  void knowsCertainties() {
    assertThat(new Binomial(10, 1).atLeast(10)).isEqualTo(1);
    assertThat(new Binomial(10, 0).atLeast(1)).isZero();
    assertThat(new Binomial(0, 0.3).atLeast(0)).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> new Binomial(3, Double.NaN));
  }
}
