package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.TestPlans;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseCalibrationTest {
  private static final PrefixMechanism TREE = Mechanisms.BINARY_TREE.make();

  private static Plan planOf(
      Budget budget, Mechanism mechanism, Adjacency adjacency, double clip, double sigma) {
    return TestPlans.plan(b -> {
      b.budget = budget;
      b.mechanism = mechanism;
      b.adjacency = adjacency;
      b.clip = clip;
      b.sigma = sigma;
    });
  }

  @ParameterizedTest
  @EnumSource
  void choosesTheLeastNoiseThatFits(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    for (double epsilon : new double[] {1e-3, 0.1, 1, Math.PI, 8, 50}) {
      for (double delta : new double[] {1e-5, 1e-9, 1e-12}) {
        for (double clip : new double[] {1e-6, 1, 123.456}) {
          for (Adjacency adjacency : Adjacency.values()) {
            for (long rounds : new long[] {1, 7, 1000, 1L << 40}) {
              Budget budget = new Budget(epsilon, delta);
              double sigma = NoiseCalibration.sigma(budget, mechanism, adjacency, clip, rounds);
              Plan plan = planOf(budget, mechanism, adjacency, clip, sigma);
              assertThat(plan.allows(rounds)).isTrue();
              double reach = adjacency.sensitivity(clip) * mechanism.sensitivity(rounds);
              double more = reach / (sigma * (1 - 1e-9));
              assertThat(mechanism.isPure() ? more <= epsilon : budget.allows(more))
                  .isFalse();
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 10, 20, 62})
  void allowsATreeToFillItsLastLevel(int levels) {
    Budget budget = new Budget(2, 1e-6);
    long full = (1L << levels) - 1;
    for (long rounds : new long[] {(full + 1) / 2, full}) { // the shortest and the longest horizon
      double sigma = NoiseCalibration.sigma(budget, TREE, Adjacency.ZERO_OUT, 1, rounds);
      Plan plan = planOf(budget, TREE, Adjacency.ZERO_OUT, 1, sigma);
      assertThat(plan.allows(full)).isTrue();
      assertThat(plan.allows(full + 1)).isFalse();
    }
  }

  @Test
  void asksTwiceTheNoiseForReplacing() {
    Budget budget = new Budget(1, 1e-6);
    double zeroOut = NoiseCalibration.sigma(budget, TREE, Adjacency.ZERO_OUT, 1, 100);
    assertThat(NoiseCalibration.sigma(budget, TREE, Adjacency.REPLACE_ONE, 1, 100))
        .isEqualTo(2 * zeroOut);
  }

  @Test
  void pricesAnEndlessStreamWhereThatHasAPrice() {
    Budget budget = new Budget(1, 1e-6);
    PrefixMechanism independent = Mechanisms.INDEPENDENT.make();
    assertThat(NoiseCalibration.sigma(budget, independent, Adjacency.ZERO_OUT, 1, Long.MAX_VALUE))
        .isEqualTo(NoiseCalibration.sigma(budget, independent, Adjacency.ZERO_OUT, 1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> NoiseCalibration.sigma(budget, TREE, Adjacency.ZERO_OUT, 1, Long.MAX_VALUE))
        .withMessageContaining("no finite noise fits epsilon 1.0 at delta 1.0E-6")
        .withMessageContaining("binary-tree over an endless stream");
  }

  @Test
  void refusesWhatHasNoAnswer() {
    Budget budget = new Budget(1, 1e-6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NoiseCalibration.sigma(budget, TREE, Adjacency.ZERO_OUT, 1, 0))
        .withMessageContaining("horizon must be at least 1 round, but was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NoiseCalibration.sigma(budget, TREE, Adjacency.ZERO_OUT, -1, 5))
        .withMessageContaining("clip must be positive and finite, but was -1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NoiseCalibration.sigma(
            budget, Mechanisms.noneForPublicData(), Adjacency.ZERO_OUT, 1, 5))
        .withMessageContaining("none over 5 rounds");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NoiseCalibration.sigma(
            new Budget(Double.POSITIVE_INFINITY, 1e-6), TREE, Adjacency.ZERO_OUT, 1, 5))
        .withMessageContaining("no finite noise fits epsilon Infinity");
  }
}
