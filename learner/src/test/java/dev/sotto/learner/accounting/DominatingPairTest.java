package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import java.util.List;
import org.junit.jupiter.api.Test;

class DominatingPairTest {
  /** Where e^tilt is too much for it, by the logarithm of rate e^tilt. */
  @Test
  void hasTheLossOfAFarOutput() {
    SampledGaussian pair = new SampledGaussian(1e-12, 1);
    for (double tilt : new double[] {29, 31, 35}) {
      double loss = StrictMath.log1p(1e-12 * StrictMath.expm1(tilt));
      assertThat(pair.loss(tilt + 0.5)).isCloseTo(loss, within(1e-14));
    }
  }

  @Test
  void invertsTheLossOfASampledGaussian() {
    for (double rate : new double[] {1e-6, 0.01, 0.5, 0.999}) {
      for (double sigma : new double[] {0.2, 1, 7}) {
        SampledGaussian pair = new SampledGaussian(rate, sigma);
        for (double x = 0; x < 40 * sigma; x += sigma / 3) {
          assertThat(pair.place(pair.loss(x))).isCloseTo(x, within(1e-9 * (1 + x) / rate * 1e-3));
        }
        assertThat(pair.loss(0.5)).isZero();
        assertThat(pair.place(StrictMath.log1p(-rate) - 0.1)).isEqualTo(Double.NEGATIVE_INFINITY);
      }
    }
  }

  @Test
  void knowsWhenThereIsNothingToTellApart() {
    assertThat(List.of(new Gaussian(0), new RandomizedResponse(0), new SampledGaussian(0, 1)))
        .allMatch(DominatingPair::isNothing);
    assertThat(List.of(new Gaussian(1), new RandomizedResponse(1), new SampledGaussian(1, 1)))
        .noneMatch(DominatingPair::isNothing);
  }

  @Test
  void refusesWhatIsNoPair() {
    for (double bad : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      refuses(() -> new Gaussian(bad));
      refuses(() -> new RandomizedResponse(bad));
      refuses(() -> new SampledGaussian(bad, 1));
      refuses(() -> new SampledGaussian(0.5, bad));
    }
    refuses(() -> new SampledGaussian(1.1, 1));
    refuses(() -> new SampledGaussian(0.5, 0));
  }

  private static void refuses(Runnable making) {
    assertThatIllegalArgumentException().isThrownBy(making::run).withMessageContaining("but was");
  }
}
