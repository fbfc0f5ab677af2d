package dev.sotto.learner.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HatsTest {
  private static final Hats EIGHT = new Hats(-1, 1, 8);

  @Test
  void knotHasAllWeight() {
    for (int k = 0; k < EIGHT.knots(); k++) {
      assertThat(EIGHT.knot(k)).isEqualTo(-1 + k / 4.0);
      double[] hats = hats(EIGHT, EIGHT.knot(k));
      for (int j = 0; j < EIGHT.knots(); j++) {
        assertThat(hats[j]).isEqualTo(j == k ? 0.5 : 0);
      }
    }
  }

  @Test
  void quarterOfTheWayIsSharedByTwoKnots() {
    double[] hats = hats(EIGHT, -1 + 0.25 / 4);
    double m = Math.sqrt(0.75 * 0.75 + 0.25 * 0.25);
    assertThat(hats[0]).isCloseTo(0.5 * 0.75 / m, within(1e-15));
    assertThat(hats[1]).isCloseTo(0.5 * 0.25 / m, within(1e-15));
  }

  @Test
  void everyNumberAddsTheSameNormToTwoKnots() {
    for (Hats each : new Hats[] {EIGHT, new Hats(-3, 3, 12), new Hats(-1, 1, 1)}) {
      double first = each.knot(0);
      double last = each.knot(each.knots() - 1);
      for (int i = 0; i <= 1000; i++) {
        double z = first + i * (last - first) / 1000;
        double[] hats = hats(each, z);
        double squares = 0;
        int some = 0;
        for (double hat : hats) {
          squares += hat * hat;
          some += hat != 0 ? 1 : 0;
          assertThat(hat).isBetween(0.0, 0.5);
        }
        assertThat(some).isBetween(1, 2);
        assertThat(squares).isCloseTo(0.25, within(1e-15));
      }
    }
  }

  @Test
  void addsSeveralNumbersAsOneByOne() {
    Random random = Seed.random(1);
    Hats.Numbers numbers = new Hats.Numbers();
    for (Hats each : new Hats[] {EIGHT, new Hats(-3, 3, 12), new Hats(-1, 1, 1)}) {
      for (int i = 0; i < 1000; i++) {
        int count = random.nextInt(20);
        int width = 1 + each.knots();
        Example one = new Example(1 + 20 * width);
        Example several = new Example(1 + 20 * width);
        one.append(0, 1);
        several.append(0, 1);
        numbers.clear();
        for (int j = 0; j < count; j++) {
          double z = random.nextBoolean()
              ? each.knot(random.nextInt(each.knots()))
              : each.knot(0) * (2 * random.nextDouble() - 1);
          one.append(1 + j * width, z);
          each.add(one, 2 + j * width, z);
          numbers.add(1 + j * width, z);
        }
        each.add(several, numbers);
        assertThat(Arrays.copyOf(several.indices(), several.size()))
            .isEqualTo(Arrays.copyOf(one.indices(), one.size()));
        assertThat(Arrays.copyOf(several.values(), several.size()))
            .isEqualTo(Arrays.copyOf(one.values(), one.size()));
        assertThat(several.isSound()).isTrue();
      }
    }
  }

  @Test
  void refusesNumbersBeforeOtherCoordinates() {
    Hats.Numbers numbers = new Hats.Numbers();
    numbers.add(0, 0.3);
    Example example = new Example(30);
    example.append(5, 1);
    assertThatIllegalStateException().isThrownBy(() -> EIGHT.add(example, numbers));
    assertThat(example.size()).isEqualTo(1);
  }

  private static double[] hats(Hats hats, double z) {
    Example example = new Example(hats.knots() + 2);
    hats.add(example, 1, z);
    double[] values = new double[hats.knots()];
    for (int i = 0; i < example.size(); i++) {
      values[example.index(i) - 1] = example.value(i); // none lies before the first or behind
    }
    return values;
  }
}
