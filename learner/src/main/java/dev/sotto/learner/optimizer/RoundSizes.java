package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.StepScale;
import java.util.function.LongFunction;

/** Sizes of rounds that suit an algorithm, where nobody chooses one. */
final class RoundSizes {
  private static final long SMALLEST = 8;
  private static final long LARGEST = 1024;
  /** Below dimension / this, drawing a round's noise takes longer than its slots. */
  private static final int DIMENSION_PER_SLOT = 256;

  private RoundSizes() {}

  /**
   * The largest power of two, from 8 to 1024, with which the noise and not the curvature limits the
   * steps in the later half of the planned slots: {@code B <= s / (2 c beta)}. Larger rounds would
   * force smaller steps, smaller ones gain little and take time. Not below dimension / 256. Without
   * noise a round is one slot.
   */
  static long small(int dimension, LongFunction<PrefixNoise> noise, StepScale known) {
    if (noise.apply(1).isNone()) {
      return 1;
    }
    long batch = LARGEST;
    while (batch > SMALLEST
        && 2 * batch * known.noise() * known.curvature() > noise.apply(batch).deviation(batch)) {
      batch /= 2;
    }
    return atLeast(batch, dimension);
  }

  /**
   * The smallest power of two, from 512, with which noise of a prefix moves scores by {@code 2 c}
   * at most at steps of {@code 1 / beta}: {@code B >= s / (c beta)}.
   */
  static long large(int dimension, LongFunction<PrefixNoise> noise, StepScale known) {
    long batch = LARGEST / 2;
    while (batch < LARGEST * LARGEST
        && batch * known.noise() * known.curvature() < noise.apply(batch).deviation(batch)) {
      batch *= 2;
    }
    return atLeast(batch, dimension);
  }

  private static long atLeast(long batch, int dimension) {
    long enough = batch;
    while (enough < dimension / DIMENSION_PER_SLOT) {
      enough *= 2;
    }
    return enough;
  }
}
