package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnDecayTest {
  @ParameterizedTest
  @CsvSource({
    "0, .5, .5, omega",
    "-.1, .5, .5, omega",
    "NaN, .5, .5, omega",
    "Infinity, .5, .5, omega",
    ".1, 1, 0, theta",
    ".1, 0, 1, theta",
    ".1, NaN, .5, theta",
    ".1, .5, .25, oneMinusTheta",
    ".1, .5, NaN, oneMinusTheta",
    ".1, .9999999999999999, 0, oneMinusTheta",
    ".1, 1e-20, 1, oneMinusTheta",
  })
  void refusesTermsOutOfRange(double omega, double theta, double oneMinusTheta, String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            Memories.of(new double[] {omega}, new double[] {theta}, new double[] {oneMinusTheta}))
        .withMessageStartingWith(name + " must be");
  }

  /** One unit in the last place of 1 may be lost where theta is computed from its complement. */
  @Test
  void allowsForTheRoundingOfTheDifference() {
    double[] one = {.25};
    double[] half = {.5};
    assertThat(Memories.of(one, half, new double[] {.5 + 0x1p-52}).size()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Memories.of(one, half, new double[] {.5 + 0x1p-51}))
        .withMessageStartingWith("oneMinusTheta must be");
  }

  @Test
  void refusesArraysOfDifferentLengths() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Memories.of(new double[1], new double[2], new double[2]))
        .withMessageContaining("1, 2, 2 terms");
  }

  @Test
  void isAValue() {
    double[] omega = {.25};
    ColumnDecay memory = Memories.of(omega, new double[] {.5}, new double[] {.5});
    omega[0] = 7;
    memory.omega()[0] = 7;
    memory.theta()[0] = 7;
    memory.oneMinusTheta()[0] = 7;
    ColumnDecay same = Memories.of(new double[] {.25}, new double[] {.5}, new double[] {.5});
    assertThat(memory).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(memory).hasToString("ColumnDecay[omega=[0.25], oneMinusTheta=[0.5]]");
    assertThat(memory.describe())
        .isEqualTo(same.describe())
        .isEqualTo("omega=[0x1.0p-2] 1-theta=[0x1.0p-1]");
    assertThat(memory).isNotEqualTo(ColumnDecay.NONE);
    assertThat(memory.size()).isEqualTo(1);
    assertThat(ColumnDecay.NONE.size()).isZero();
  }
}
