package dev.sotto.learner.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.testing.Seed;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MeasuredLossTest {
  private static final double BOUND = 2;
  private static final int DRAWS = 4_000;

  /** Two bins; of so many examples with this share of label 1, and this mean loss. */
  private static NoisyMetrics window(double count, double rate, double loss, double noise) {
    return window(count, rate, loss, noise, null);
  }

  private static NoisyMetrics window(
      double count, double rate, double loss, double noise, Random random) {
    double[] sums = {
      count * loss / BOUND,
      count * 0.8,
      count * 0.2,
      count * (1 - rate) * 0.75,
      count * rate * 0.25,
      count * (1 - rate) * 0.25,
      count * rate * 0.75
    };
    for (int i = 0; random != null && i < sums.length; i++) {
      sums[i] += noise * random.nextGaussian();
    }
    return new NoisyMetrics(1, 1, (long) count, BOUND, sums, noise);
  }

  private static double entropy(double rate) {
    return -rate * Math.log(rate) - (1 - rate) * Math.log(1 - rate);
  }

  @Test
  void putsTheLossBesideThatOfConstants() {
    MeasuredLoss now = new MeasuredLoss(window(1_000, 0.3, 0.4, 10));
    assertThat(now.mean().value()).isCloseTo(0.4, within(1e-12));
    assertThat(now.bestConstant().value()).isCloseTo(entropy(0.3), within(1e-12));
    MeasuredLoss before = new MeasuredLoss(window(500, 0.5, 0.4, 10));
    assertThat(now.baseRate(before).value()).isCloseTo(Math.log(2), within(1e-12));
    assertThat(now.mean().deviationsBelow(now.bestConstant()))
        .isCloseTo(
            (entropy(0.3) - 0.4)
                / Math.hypot(now.mean().error(), now.bestConstant().error()),
            within(1e-12));
    assertThat(now.bestConstant().deviationsBelow(now.mean())).isNegative();
  }

  @Test
  void cutsTheLossOfConstantsAsThatOfTheModelIsCut() {
    MeasuredLoss rare = new MeasuredLoss(window(1_000, 0.01, 0.02, 0));
    double zeros = -0.99 * Math.log(0.99);
    assertThat(rare.bestConstant().value()).isCloseTo(0.01 * BOUND + zeros, within(1e-12));
    MeasuredLoss before = new MeasuredLoss(window(1_000, 0.02, 0.02, 0));
    assertThat(rare.baseRate(before).value())
        .isCloseTo(0.01 * BOUND - 0.99 * Math.log(0.98), within(1e-12));
  }

  @Test
  void addsWindowsWithTheirNoise() {
    NoisyMetrics first = window(1_000, 0.2, 0.5, 10);
    MeasuredLoss both = new MeasuredLoss(first.plus(window(1_000, 0.4, 0.3, 10)));
    assertThat(both.mean().value()).isCloseTo(0.4, within(1e-12));
    assertThat(both.bestConstant().value()).isCloseTo(entropy(0.3), within(1e-12));
    assertThat(both.mean().error())
        .isCloseTo(
            new MeasuredLoss(window(2_000, 0.3, 0.4, 10 * Math.sqrt(2))).mean().error(),
            within(1e-12));
    NoisyMetrics cutElsewhere = new NoisyMetrics(1, 1, 10, 3, first.sums(), 1);
    assertThatThrownBy(() -> first.plus(cutElsewhere))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 bins and 3");
    NoisyMetrics otherBins = new NoisyMetrics(1, 1, 10, BOUND, new double[5], 1);
    assertThatThrownBy(() -> first.plus(otherBins)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void knowsNothingWhereTheNoiseLeavesNothing() {
    MeasuredLoss none = new MeasuredLoss(window(-5, 0.5, 0.5, 10));
    assertThat(none.mean().value()).isNaN();
    assertThat(none.bestConstant().value()).isNaN();
    assertThat(none.baseRate(none).value()).isNaN();
    MeasuredLoss one = new MeasuredLoss(window(100, 1, 0.5, 10));
    assertThat(one.bestConstant().value()).isNaN();
    assertThat(one.mean().deviationsBelow(one.bestConstant())).isNaN();
  }

  /** A spread of DRAWS values is known to 1/sqrt(2 DRAWS) = 1.1 %; 10 % is nine times that. */
  @Test
  void statesTheSpreadThatTheNoiseGives() {
    double[] rates = {0.5, 0.3, 0.05};
    for (double rate : rates) {
      MeasuredLoss before = new MeasuredLoss(window(4_000, 0.4, 0.4, 0));
      check(rate, MeasuredLoss::mean);
      check(rate, each -> each.baseRate(before));
      check(rate, MeasuredLoss::bestConstant);
    }
    MeasuredLoss now = new MeasuredLoss(window(4_000, 0.3, 0.4, 0));
    double stated = now.baseRate(new MeasuredLoss(window(4_000, 0.2, 0.4, 40))).error();
    Random random = Seed.random(2);
    assertThat(spread(() ->
            now.baseRate(new MeasuredLoss(window(4_000, 0.2, 0.4, 40, random))).value()))
        .isCloseTo(stated, within(0.1 * stated));
  }

  private static void check(double rate, Function<MeasuredLoss, MeasuredLoss.Figure> figure) {
    Random random = Seed.random(1);
    double stated = figure.apply(new MeasuredLoss(window(4_000, rate, 0.4, 10))).error();
    assertThat(spread(() ->
            figure.apply(new MeasuredLoss(window(4_000, rate, 0.4, 10, random))).value()))
        .as("rate %s", rate)
        .isCloseTo(stated, within(0.1 * stated));
  }

  private static double spread(DoubleSupplier draw) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < DRAWS; i++) {
      double value = draw.getAsDouble();
      sum += value;
      squares += value * value;
    }
    return Math.sqrt(squares / DRAWS - sum / DRAWS * (sum / DRAWS));
  }
}
