package dev.sotto.learner.mechanism.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.BltInverse;
import dev.sotto.learner.mechanism.BltParameterSets;
import dev.sotto.learner.mechanism.BltParameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FeltNoiseTest {
  /** By adding up what each draw leaves, each round as the definition has it. */
  private static double summed(BltParameters set, double window, int rounds) {
    BltInverse inverse = set.inverse();
    double left = 0;
    double variance = 0;
    for (int k = 0; k < rounds; k++) {
      left = (1 - 1 / window) * left + inverse.coefficient(k);
      variance += left * left;
    }
    return variance;
  }

  @ParameterizedTest
  @EnumSource
  void agreesWithPlainSums(BltParameterSets set) {
    BltParameters parameters = set.parameters();
    for (double window : new double[] {1.5, 16, 64, 300}) {
      double variance = summed(parameters, window, 10_000);
      assertThat(FeltNoise.variance(parameters, window))
          .isCloseTo(variance, within(5e-4 * variance)); // slow buffers go on far behind the sum
    }
  }
}
