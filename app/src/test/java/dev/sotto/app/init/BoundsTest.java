package dev.sotto.app.init;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bounds hold every number of the sample, in few digits. */
class BoundsTest {
  @ParameterizedTest
  @CsvSource({
    "17, 98, 10, 100",
    "0, 1, 0, 1",
    "-0.04, 0.93, -0.1, 1",
    "1950, 2011, 1950, 2020",
    "-8019, 102127, -20000, 120000",
    "0, 4e-7, 0, 0.0000004",
    "1e20, 3e20, 1E+20, 3E+20",
    "1293860940000, 1301633880000, 1293000000000, 1302000000000"
  })
  void roundsOutward(double min, double max, String low, String high) {
    Bounds bounds = Bounds.around(min, max).orElseThrow();
    assertThat(bounds.minText()).isEqualTo(low);
    assertThat(bounds.maxText()).isEqualTo(high);
  }

  @Test
  void holdsEveryRange() {
    Random random = Seed.random(5);
    for (int i = 0; i < 20_000; i++) {
      double a = random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
      double b = a + Math.pow(10, random.nextInt(30) - 10) * random.nextDouble();
      if (b - a > 1e-12 * Math.abs(a)) {
        Bounds bounds = Bounds.around(a, b).orElseThrow();
        double low = Double.parseDouble(bounds.minText());
        double high = Double.parseDouble(bounds.maxText());
        assertThat(low).as("%s to %s", a, b).isLessThanOrEqualTo(a);
        assertThat(high).isGreaterThanOrEqualTo(b);
        assertThat(high - low).isLessThanOrEqualTo(1.51 * (b - a));
        if (Math.abs(a) < 10 * (b - a)) {
          assertThat(bounds.min().stripTrailingZeros().precision()).isLessThanOrEqualTo(4);
        }
      }
    }
  }

  @Test
  void hasNoneWithoutAWidth() {
    assertThat(Bounds.around(3, 3)).isEmpty();
    assertThat(Bounds.around(-1e308, 1e308)).isEmpty();
    assertThat(Bounds.around(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY))
        .isEmpty();
    assertThat(Bounds.of(new ValueStatistics())).isEmpty();
  }
}
