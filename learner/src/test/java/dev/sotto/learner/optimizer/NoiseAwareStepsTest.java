package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that follow from the noise and the loss alone. */
class NoiseAwareStepsTest {
  private static final StepScale LOGISTIC = Losses.LOGISTIC.make().stepScale(1).orElseThrow();

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void knowsTheLargestVarianceOfAPrefix(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    assertThat(mechanism.largestPrefixVariance(0)).isZero();
    double largest = 0;
    for (long t = 1; t <= 3000; t++) {
      largest = Math.max(largest, mechanism.prefixVariance(t));
      assertThat(mechanism.largestPrefixVariance(t))
          .as("after %d", t)
          .isCloseTo(largest, within(1e-12 * largest));
    }
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void putsTheNoiseOfAScoreAtItsMeasure(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    double sigma = 20;
    long batch = 32;
    StepSize steps = new StepSize.NoiseAware(mechanism, sigma, batch, LOGISTIC, true, true);
    double before = Double.POSITIVE_INFINITY;
    boolean limited = false;
    for (long t = 1; t <= 3000; t++) {
      double eta = steps.eta(t);
      assertThat(eta).isPositive().isLessThanOrEqualTo(before);
      before = eta;
      // Weights are eta times the prefix of means, whose noise is s / B.
      double inScore =
          t == 1 ? 0 : eta * sigma / batch * Math.sqrt(mechanism.prefixVariance(t - 1));
      assertThat(inScore).isLessThanOrEqualTo(LOGISTIC.noise() * (1 + 1e-12));
      limited |= inScore > 0.9 * LOGISTIC.noise();
    }
    assertThat(limited).as("no smaller than the noise asks for").isTrue();
  }

  @Test
  void isConstantAndStableWithoutNoise() {
    for (long batch : new long[] {1, 8, 64, 4096}) {
      StepSize steps =
          new StepSize.NoiseAware(Mechanisms.noneForPublicData(), 1, batch, LOGISTIC, true, true);
      assertThat(steps.eta(1)).isEqualTo(steps.eta(1_000_000)).isLessThan(1 / 0.25);
      assertThat(steps.shrinkage(7)).isZero();
    }
  }

  @Test
  void shrinksWhatIsMostlyNoiseAndNothingElse() {
    double sigma = 3;
    StepSize shrinking =
        new StepSize.NoiseAware(Mechanisms.INDEPENDENT.make(), sigma, 1, LOGISTIC, true, true);
    StepSize plain =
        new StepSize.NoiseAware(Mechanisms.INDEPENDENT.make(), sigma, 1, LOGISTIC, false, true);
    assertThat(shrinking.shrinkage(4)).isEqualTo(6);
    assertThat(plain.shrinkage(4)).isZero();
    assertThat(shrinking.eta(5)).isEqualTo(plain.eta(5));
    assertThat(shrinking.describe()).isNotEqualTo(plain.describe());
  }

  @Test
  void refusesWhatCanBeNoStep() {
    PrefixMechanism mechanism = Mechanisms.BLT.make();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StepSize.NoiseAware(mechanism, Double.NaN, 1, LOGISTIC, true, true))
        .withMessage("sigma must be at least 0 and finite, but was NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StepSize.NoiseAware(mechanism, 1, 0, LOGISTIC, true, true))
        .withMessage("batch must be at least 1, but was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StepScale(1, Double.POSITIVE_INFINITY, 1))
        .withMessage("noise must be positive and finite, but was Infinity");
  }

  /** Losses of labels that may have any size need their range, others do not. */
  @ParameterizedTest
  @EnumSource(Losses.class)
  void knowsTheScaleOfEveryLoss(Losses each) {
    StepScale known = each.make().stepScale(1).orElseThrow();
    assertThat(known.clip()).isLessThanOrEqualTo(each.make().lipschitz());
    boolean anySize = each.make().admits(1e6);
    assertThat(each.make().stepScale(Double.POSITIVE_INFINITY).isEmpty())
        .isEqualTo(anySize && each != Losses.HUBER); // whose threshold says how large errors are
  }

  @Test
  void takesAsManySlotsARoundAsTheNoiseAsksFor() {
    // s = 40 at every length: B <= 40 / (2 * 0.5 * 0.25) = 160
    assertThat(RoundSizes.small(7, noise(40, 1), LOGISTIC)).isEqualTo(128);
    assertThat(RoundSizes.small(7, noise(0.1, 1), LOGISTIC)).isEqualTo(8);
    assertThat(RoundSizes.small(7, noise(1e9, 1), LOGISTIC)).isEqualTo(1024);
    assertThat(RoundSizes.small(1 << 16, noise(0.1, 1), LOGISTIC)).isEqualTo(256);
    assertThat(RoundSizes.small(1 << 22, noise(0.1, 1), LOGISTIC)).isEqualTo(1 << 14);
    assertThat(RoundSizes.large(7, noise(40, 1), LOGISTIC)).isEqualTo(512);
    assertThat(RoundSizes.large(7, noise(200, 1), LOGISTIC)).isEqualTo(2048);
    PrefixNoise none = new PrefixNoise(Mechanisms.noneForPublicData(), 1, Long.MAX_VALUE);
    assertThat(RoundSizes.small(7, batch -> none, LOGISTIC)).isEqualTo(1);
    assertThat(RoundSizes.small(7, noise(40, 1), new Softmax(3).stepScale(1).orElseThrow()))
        .isLessThan(128);
  }

  private static LongFunction<PrefixNoise> noise(double sigma, long rounds) {
    PrefixNoise noise = new PrefixNoise(Mechanisms.INDEPENDENT.make(), sigma, rounds);
    return batch -> noise;
  }
}
