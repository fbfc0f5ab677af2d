package dev.sotto.learner.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class GaussianSamplerTest {
  private static final int DRAWS = 4_000_000;

  private static Keystream words(int seed) {
    byte[] key = new byte[32];
    key[0] = (byte) seed;
    return new Keystream(key, 0, 1 << 12);
  }

  @Test
  void closesTheZigguratUpToRounding() {
    assertThat(GaussianSampler.closure()).isLessThan(1e-12);
  }

  /** Also where the words of a buffer run out, and where many draws take several words. */
  @Test
  void fillsAnArrayWithTheDrawsOneByOne() {
    Keystream filled = words(3);
    Keystream single = words(3);
    double[] draws = new double[10_001];
    for (int length : new int[] {0, 1, 7, 4096, 10_001}) {
      GaussianSampler.fill(filled, 3, draws, length);
      for (int i = 0; i < length; i++) {
        assertThat(draws[i]).isEqualTo(3 * GaussianSampler.next(single));
      }
    }
    assertThat(filled.nextLong()).isEqualTo(single.nextLong());
  }

  @Test
  void hasTheMomentsOfANormal() {
    Keystream words = words(1);
    double[] powers = new double[5];
    for (int i = 0; i < DRAWS; i++) {
      double x = GaussianSampler.next(words);
      powers[1] += x;
      powers[2] += x * x;
      powers[3] += x * x * x;
      powers[4] += x * x * x * x;
    }
    // Standard errors of the mean powers are sqrt(1, 2, 15, 96 / n); 5.2 of them are left once in
    // 5e6 runs.
    double root = Math.sqrt(DRAWS);
    assertThat(powers[1] / DRAWS).isCloseTo(0, within(5.2 / root));
    assertThat(powers[2] / DRAWS).isCloseTo(1, within(5.2 * Math.sqrt(2) / root));
    assertThat(powers[3] / DRAWS).isCloseTo(0, within(5.2 * Math.sqrt(15) / root));
    assertThat(powers[4] / DRAWS).isCloseTo(3, within(5.2 * Math.sqrt(96) / root));
  }

  @Test
  void fillsEveryCellAsOftenAsANormalDoes() {
    assertThat(largestDeviation(x -> x)).isLessThan(5.8);
  }

  @Test
  void noticesATwoPercentNarrowerSampler() {
    assertThat(largestDeviation(x -> 0.98 * x)).isGreaterThan(5.8);
  }

  /**
   * Largest standardised deviation over 200 cells of width 0.05 and two tails beyond 5: 202
   * comparisons at 5.8 fail by chance less than once in 7e5 runs (each 6.6e-9, times 202).
   */
  private static double largestDeviation(DoubleUnaryOperator change) {
    Keystream words = words(2);
    long[] cells = new long[202];
    for (int i = 0; i < DRAWS; i++) {
      double x = change.applyAsDouble(GaussianSampler.next(words));
      int cell = x < -5 ? 0 : x >= 5 ? 201 : 1 + (int) Math.floor((x + 5) / 0.05);
      cells[Math.min(cell, 201)]++;
    }
    double worst = 0;
    for (int cell = 0; cell < cells.length; cell++) {
      double low = cell == 0 ? 0 : normal(-5 + 0.05 * (cell - 1));
      double high = cell == 201 ? 1 : normal(-5 + 0.05 * cell);
      double expected = DRAWS * (high - low);
      if (expected < 20) {
        assertThat((double) cells[cell])
            .isLessThan(expected + 60); // a Poisson of 20 exceeds 80 never
        continue;
      }
      worst = Math.max(worst, Math.abs(cells[cell] - expected) / Math.sqrt(expected));
    }
    return worst;
  }

  /** The normal distribution function by its series, good to 1e-15 for |x| up to 5. */
  private static double normal(double x) {
    double term = x;
    double sum = x;
    for (int i = 1; Math.abs(term) > 1e-18; i++) {
      term *= x * x / (2 * i + 1);
      sum += term;
    }
    return 0.5 + sum * Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
  }

  @Test
  void reachesFarIntoTheTail() {
    Keystream words = words(3);
    double largest = 0;
    for (int i = 0; i < DRAWS; i++) {
      largest = Math.max(largest, Math.abs(GaussianSampler.next(words)));
    }
    // The largest of 4e6 lies beyond 4.1 but with probability exp(-4e6 * 4.1e-5) = 1e-71, beyond
    // 7.5 with 2.6e-7.
    assertThat(largest).isBetween(4.1, 7.5);
  }

  @Test
  void drawsFineUniformsDownToTinyOnes() {
    Keystream words = words(4);
    int small = 0;
    for (int i = 0; i < 1_000_000; i++) {
      double u = words.nextFineUnit();
      assertThat(u > 0 && u < 1).isTrue();
      if (u < 0x1p-10) {
        small++;
      }
    }
    // Binomial(1e6, 2^-10): mean 976.6, standard deviation 31.2; 5.3 of them once in 8e6 runs.
    assertThat(small).isBetween(976 - 166, 977 + 166);
  }
}
