package dev.sotto.learner.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * The tail branch of the ziggurat by itself: two of 10^9 draws lie beyond 6, here one of 130 000
 * does.
 */
class GaussianSamplerTailTest {
  private static final int DRAWS = 8_000_000;
  private static final double[] FROM = {3.7, 4, 4.5, 5, 5.5, 6};

  private record Tail(double worst, int beyondSix, int different) {}

  /** P(Z > x) by its continued fraction, to 1e-12 for x of at least 3.5. */
  private static double above(double x) {
    double fraction = x;
    for (int k = 200; k > 0; k--) {
      fraction = x + k / fraction;
    }
    return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI) / fraction;
  }

  private static Tail tail(int seed, int draws, ToDoubleFunction<Keystream> sampler) {
    byte[] key = new byte[32];
    key[0] = (byte) seed;
    Keystream words = new Keystream(key, 0, 1 << 12);
    long[] counts = new long[FROM.length];
    Set<Double> beyondSix = new HashSet<>();
    for (int i = 0; i < draws; i++) {
      double x = sampler.applyAsDouble(words);
      for (int j = 0; j < FROM.length && x > FROM[j]; j++) {
        counts[j]++;
      }
      if (x > 6) {
        beyondSix.add(x);
      }
    }
    double worst = 0;
    for (int j = 0; j < FROM.length; j++) {
      double p = above(FROM[j]) / above(GaussianSampler.TAIL);
      double error = Math.sqrt(draws * p * (1 - p));
      worst = Math.max(worst, Math.abs(counts[j] - draws * p) / error);
    }
    return new Tail(worst, (int) counts[FROM.length - 1], beyondSix.size());
  }

  /**
   * Six comparisons at 6, the last with 61 expected: a Poisson of 61 leaves 61 +- 47 less than once
   * in 1e7 runs, and no two of 110 doubles beyond 6 with 2^-50 between them agree but once in 1e9.
   */
  @Test
  void hasTheTailOfANormalToSixSigma() {
    Tail tail = tail(1, DRAWS, GaussianSampler::tail);
    assertThat(tail.worst()).isLessThan(6);
    assertThat(tail.different()).isEqualTo(tail.beyondSix());
  }

  /** The twins: an exponential tail, without the rejection; and logarithms of 18-bit uniforms. */
  @Test
  void noticesAnotherTail() {
    Tail exponential = tail(
        2,
        100_000,
        words ->
            GaussianSampler.TAIL - StrictMath.log(words.nextFineUnit()) / GaussianSampler.TAIL);
    assertThat(exponential.worst()).isGreaterThan(6);
    Tail coarse = tail(3, 3_000_000, words -> {
      while (true) {
        double over = -Math.log(((words.nextLong() >>> 46) + 1) * 0x1p-18) / GaussianSampler.TAIL;
        double test = -Math.log(words.nextFineUnit());
        if (2 * test > over * over) {
          return GaussianSampler.TAIL + over;
        }
      }
    });
    assertThat(coarse.different()).isLessThan(coarse.beyondSix());
  }

  /** How often the tail is entered: 1032 of 4e6 draws, 170 more or less once in 8e6 runs. */
  @Test
  void entersTheTailAsOftenAsANormalDoes() {
    Keystream words = new Keystream(new byte[32], 1, 1 << 12);
    int beyond = 0;
    for (int i = 0; i < 4_000_000; i++) {
      beyond += Math.abs(GaussianSampler.next(words)) > GaussianSampler.TAIL ? 1 : 0;
    }
    double expected = 4e6 * 2 * above(GaussianSampler.TAIL);
    assertThat(Math.abs(beyond - expected)).isLessThan(5.3 * Math.sqrt(expected));
  }
}
