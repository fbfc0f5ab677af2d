package dev.sotto.learner.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.testing.Seed;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LossIntervalTest {
  private static final double NOISE = 20;

  /** 1,000 examples of mean loss 0.6, each 0 or 2. */
  private static NoisyMetrics window(RandomGenerator random, long round, double stated) {
    double loss =
        IntStream.range(0, 1_000).filter(i -> random.nextDouble() < 0.3).count();
    return new NoisyMetrics(
        round,
        round,
        1_000,
        2,
        new double[] {
          loss + NOISE * random.nextGaussian(),
          1_000 - loss + NOISE * random.nextGaussian(),
          loss + NOISE * random.nextGaussian()
        },
        stated);
  }

  private static long missed(double stated) {
    return IntStream.range(0, 1_000)
        .filter(run -> {
          RandomGenerator random = Seed.splittable(run);
          return IntStream.rangeClosed(1, 50)
              .mapToObj(round -> LossInterval.of(window(random, round, stated)))
              .anyMatch(each -> each.low() > 0.6 || each.high() < 0.6);
        })
        .count();
  }

  /** Stated are 10 of 1,000 runs; more than 32 in less than 1e-7 of all tests (binomial). */
  @Test
  void holdsTheExpectedLossInAllWindowsOfARun() {
    assertThat(missed(NOISE)).isLessThanOrEqualTo(32);
  }

  /** The broken twin: noise that is said to be none, in windows of few examples. */
  @Test
  void wouldMissWithoutTheNoise() {
    long missed = IntStream.range(0, 1_000)
        .filter(run -> {
          RandomGenerator random = Seed.splittable(run);
          double loss = 20 * 0.3 + NOISE * random.nextGaussian();
          double[] sums = {loss, 14 + NOISE * random.nextGaussian(), 6};
          LossInterval each = LossInterval.of(new NoisyMetrics(1, 1, 20, 2, sums, 0));
          return each.low() > 0.6 || each.high() < 0.6;
        })
        .count();
    assertThat(missed).isGreaterThan(32);
  }

  @Test
  void knowsNothingWithoutExamples() {
    LossInterval nothing =
        LossInterval.of(new NoisyMetrics(1, 3, 10, 2, new double[] {1, -2, 1}, 3));
    LossInterval good =
        LossInterval.of(new NoisyMetrics(4, 6, 1_000_000, 2, new double[] {1e5, 9e5, 1e5}, 3));
    assertThat(nothing.isBetterThan(good)).isFalse();
    assertThat(good.isBetterThan(nothing)).isFalse();
    assertThat(nothing.holds(2)).isTrue();
    assertThat(nothing.holds(4)).isFalse();
  }

  @Test
  void comparesBeyondNoise() {
    LossInterval good =
        LossInterval.of(new NoisyMetrics(1, 1, 1_000_000, 2, new double[] {1e5, 9e5, 1e5}, 3));
    LossInterval worse =
        LossInterval.of(new NoisyMetrics(2, 2, 1_000_000, 2, new double[] {1.1e5, 9e5, 1e5}, 3));
    LossInterval vague =
        LossInterval.of(new NoisyMetrics(3, 3, 1_000_000, 2, new double[] {1.1e5, 9e5, 1e5}, 3e4));
    assertThat(good.isBetterThan(worse)).isTrue();
    assertThat(worse.isBetterThan(good)).isFalse();
    assertThat(good.isBetterThan(vague)).isFalse();
  }
}
