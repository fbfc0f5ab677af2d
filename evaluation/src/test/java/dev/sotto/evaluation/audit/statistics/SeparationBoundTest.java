package dev.sotto.evaluation.audit.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeparationBoundTest {
  private static SeparationBound measured(double mu, int runs, double risk, long seed) {
    SplittableRandom random = Seed.splittable(seed);
    int first = 0;
    int second = 0;
    for (int run = 0; run < runs; run++) {
      first += random.nextGaussian() > mu / 2 ? 1 : 0;
      second += mu + random.nextGaussian() < mu / 2 ? 1 : 0;
    }
    return SeparationBound.of(first, second, runs, risk);
  }

  @Test
  void staysBelowTheTruthAndComesNear() {
    for (double mu : new double[] {0.2, 1, 3}) {
      SeparationBound measured = measured(mu, 40_000, 1e-6, 1);
      assertThat(measured.muLower()).isLessThan(mu).isGreaterThan(mu - 0.4);
      assertThat(measured.variationLower())
          .isLessThan(1 - 2 * TailProbability.normal(mu / 2))
          .isGreaterThan(1 - 2 * TailProbability.normal(mu / 2) - 0.06);
    }
  }

  /** At risk 0.1 for both bounds, which are exact, so the sum fails less often than that. */
  @Test
  void isWrongNoMoreOftenThanItSays() {
    int wrong = 0;
    for (int seed = 0; seed < 1000; seed++) {
      wrong += measured(1, 200, 0.1, seed).muLower() > 1 ? 1 : 0;
    }
    assertThat(wrong).isLessThan(150); // 5 errors above 100
  }

  @Test
  void provesNothingFromCoinTosses() {
    SeparationBound none = new SeparationBound(0.5, 0.6);
    assertThat(none.muLower()).isZero();
    assertThat(none.variationLower()).isZero();
    assertThat(none.epsilonLower(0.1)).isZero();
  }

  /**
   * e^epsilon falsePositives + falseNegatives >= 1 - delta, and the same with the two exchanged.
   */
  @Test
  void provesEpsilonFromErrors() {
    assertThat(new SeparationBound(0.1, 0.2).epsilonLower(0))
        .isCloseTo(StrictMath.log(8), within(1e-12));
    assertThat(new SeparationBound(0.1, 0.2).epsilonLower(0.3))
        .isCloseTo(StrictMath.log(5), within(1e-12));
  }

  @Test
  void boundsAChanceFromAbove() {
    assertThat(SeparationBound.chanceAtMost(3, 1000, 1e-6))
        .isCloseTo(0.021155614316716816, within(1e-10));
    assertThat(SeparationBound.chanceAtMost(0, 1000, 1e-6))
        .isCloseTo(0.013720514368789516, within(1e-10));
    assertThat(SeparationBound.chanceAtMost(5, 5, 0.01)).isEqualTo(1);
  }
}
