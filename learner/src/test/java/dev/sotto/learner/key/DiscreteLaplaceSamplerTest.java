package dev.sotto.learner.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Tier;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscreteLaplaceSamplerTest {
  private static final int DRAWS = Tier.choose(1_000_000, 2_000_000);

  private static Keystream words(long seed) {
    byte[] key = new byte[32];
    key[0] = (byte) seed;
    key[1] = (byte) (seed >> 8);
    return new Keystream(key, 7, 1 << 12);
  }

  /** P(X >= m) for m of at least 1: q^m / (1 + q), q = exp(-1 / scale). */
  private static double above(long m, double scale) {
    return Math.exp(-m / scale) / (1 + Math.exp(-1 / scale));
  }

  /**
   * The largest standardised deviation of the counts of single integers around 0 and of the tails
   * beyond, from the exact law. At most 90 comparisons, each with at least 100 expected: at 6 they
   * fail once in 5e6 runs (each 2e-9 as for a normal; binomials of 100 have skew 0.1, and up to
   * 2e-9 more).
   */
  private static double worst(long scale, int seed, ToLongFunction<Keystream> sampler) {
    int far = (int) Math.min(44, (long) (scale * Math.log(DRAWS / 150.0 / (3 * scale))));
    long[] counts = new long[2 * far + 3];
    Keystream words = words(seed);
    for (int i = 0; i < DRAWS; i++) {
      long x = Math.max(-far - 1, Math.min(far + 1, sampler.applyAsLong(words)));
      counts[(int) x + far + 1]++;
    }
    double q = Math.exp(-1.0 / scale);
    double worst = 0;
    for (int x = -far - 1; x <= far + 1; x++) {
      double p = Math.abs(x) > far
          ? above(far + 1, scale)
          : (1 - q) / (1 + q) * Math.exp(-(double) Math.abs(x) / scale);
      assertThat(DRAWS * p).isGreaterThan(100);
      double error = Math.sqrt(DRAWS * p * (1 - p));
      worst = Math.max(worst, Math.abs(counts[x + far + 1] - DRAWS * p) / error);
    }
    return worst;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 12})
  void drawsEveryIntegerAsOftenAsTheLawSays(long scale) {
    DiscreteLaplaceSampler law = new DiscreteLaplaceSampler(scale);
    assertThat(worst(scale, (int) scale, law::next)).isLessThan(6);
  }

  /**
   * The broken twins: zero twice as often, a scale that is 4 % too small (2 % in long runs), and a rounded continuous
   * law.
   */
  @Test
  void noticesSamplersOfOtherLaws() {
    DiscreteLaplaceSampler law = new DiscreteLaplaceSampler(8);
    assertThat(worst(8, 1, words -> {
          long x = law.next(words);
          return x == 0 || words.nextLong() >= 0
              ? x
              : 0; // half of what remains, were zero not drawn again
        }))
        .isGreaterThan(6);
    DiscreteLaplaceSampler narrow = new DiscreteLaplaceSampler(Tier.choose(384, 392));
    assertThat(worst(8, 2, words -> Math.round(narrow.next(words) / 50.0))).isGreaterThan(6);
    assertThat(worst(4, 3, words -> {
          double size = -4 * Math.log(words.nextFineUnit());
          return Math.round(words.nextLong() < 0 ? -size : size);
        }))
        .isGreaterThan(6);
  }

  /** The largest standardised deviation of exceedances over up to nine scales, on both sides. */
  private static double worstTail(long scale, int seed, LongUnaryOperator change) {
    double[] multiples = {0.001, 0.3, 1, 2, 3, 5, 7, 9, 9.2, Tier.isLong() ? 9.9 : 9.4};
    long[][] counts = new long[2][multiples.length];
    DiscreteLaplaceSampler law = new DiscreteLaplaceSampler(scale);
    Keystream words = words(seed);
    for (int i = 0; i < DRAWS; i++) {
      long x = change.applyAsLong(law.next(words));
      for (int j = 0; j < multiples.length && Math.abs(x) >= multiples[j] * scale; j++) {
        counts[x < 0 ? 0 : 1][j]++;
      }
    }
    double worst = 0;
    for (int j = 0; j < multiples.length; j++) {
      double p = above((long) Math.ceil(multiples[j] * scale), scale);
      for (int side = 0; side < 2; side++) {
        double error = Math.sqrt(DRAWS * p * (1 - p));
        worst = Math.max(worst, Math.abs(counts[side][j] - DRAWS * p) / error);
      }
    }
    return worst;
  }

  /** 20 comparisons, with 40 expected in the last: at 6.5 they fail less than once in 1e7 runs. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 20, 1_234_567, (1L << 32) - 1, 1L << 40})
  void hasTheTailsOfTheLaw(long scale) {
    assertThat(worstTail(scale, 11, x -> x)).isLessThan(6.5);
  }

  @Test
  void noticesOtherTails() {
    long scale = 1_234_567;
    // 2 % too small; and cut at eight scales.
    assertThat(worstTail(scale, 12, x -> x * 98 / 100)).isGreaterThan(6.5);
    assertThat(worstTail(scale, 13, x -> Math.abs(x) > 8 * scale ? x / 8 : x)).isGreaterThan(6.5);
  }

  /** Of a bound of 3/4 of all words every fourth word would favour some number. */
  private static double worstThird(ToLongFunction<Keystream> sampler) {
    long bound = 3L << 61;
    long[] counts = new long[3];
    Keystream words = words(21);
    for (int i = 0; i < DRAWS; i++) {
      long x = sampler.applyAsLong(words);
      assertThat(x >= 0 && x < bound).isTrue();
      counts[(int) (x % 3)]++;
    }
    double worst = 0;
    for (long count : counts) {
      worst = Math.max(worst, Math.abs(count - DRAWS / 3.0) / Math.sqrt(DRAWS * 2.0 / 9));
    }
    return worst;
  }

  /** Three comparisons at 5.6 fail once in 1.5e7 runs. The twin keeps what must be drawn again. */
  @Test
  void drawsNumbersBelowABoundEquallyOften() {
    long bound = 3L << 61;
    assertThat(worstThird(words -> words.nextBelow(bound))).isLessThan(5.6);
    assertThat(worstThird(words -> {
          long word = words.nextLong();
          return Math.multiplyHigh(word, bound) + (word >> 63 & bound);
        }))
        .isGreaterThan(5.6);
    Keystream words = words(22);
    for (int i = 0; i < 1000; i++) {
      assertThat(words.nextBelow(1)).isZero();
    }
  }

  @Test
  void roundsTheScaleUpAndRefusesWhatItCannotDraw() {
    // With one seed, draws of equal scales are equal.
    assertThat(DiscreteLaplaceSampler.atLeast(5.0001).next(words(31)))
        .isEqualTo(new DiscreteLaplaceSampler(6).next(words(31)));
    assertThat(DiscreteLaplaceSampler.atLeast(0x1p20).next(words(32)))
        .isEqualTo(new DiscreteLaplaceSampler(1 << 20).next(words(32)));
    for (double units : new double[] {0, -1, Double.NaN, 0x1p40 + 1, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> DiscreteLaplaceSampler.atLeast(units))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 2^40");
    }
  }
}
