package dev.sotto.learner.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumberTextTest {
  @Test
  void writesTheShortestText() {
    assertThat(NumberText.shortest(1)).isEqualTo("1.0");
    assertThat(NumberText.shortest(0.1)).isEqualTo("0.1");
    assertThat(NumberText.shortest(-0.25)).isEqualTo("-0.25");
    assertThat(NumberText.shortest(1e-6)).isEqualTo("0.000001");
    assertThat(NumberText.shortest(2e-3)).isEqualTo("0.002");
    assertThat(NumberText.shortest(1e23)).isEqualTo("1E+23");
    assertThat(NumberText.shortest(0)).isEqualTo("0.0");
    assertThat(NumberText.shortest(Double.POSITIVE_INFINITY)).isEqualTo("inf");
  }

  @Test
  void readsBackAsTheSameDouble() {
    SplittableRandom random = Seed.splittable(1);
    for (int i = 0; i < 10_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        assertThat(Double.parseDouble(NumberText.shortest(value))).isEqualTo(value);
      }
    }
    assertThat(Double.parseDouble(NumberText.shortest(Double.MIN_VALUE)))
        .isEqualTo(Double.MIN_VALUE);
  }
}
