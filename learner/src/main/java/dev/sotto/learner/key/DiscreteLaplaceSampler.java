package dev.sotto.learner.key;

/**
 * Draws from the discrete Laplace distribution, P(k) proportional to exp(-|k| / scale) on the
 * integers (Canonne, Kamath and Steinke 2020, Algorithms 1 and 2, with s = 1).
 *
 * <p>Promises: the law is exact, given uniform words: every decision is between integers, and there
 * are no logarithms whose rounding would give neighbouring sums different supports (Mironov 2012);
 * the same words give the same draws on every machine.
 */
final class DiscreteLaplaceSampler {
  private static final long LARGEST = 1L << 40;

  private final long scale;

  /**
   * A sampler.
   *
   * @param scale from 1 to 2^40, so that draws stay below 2^52 but with a probability of exp(-2^12)
   */
  DiscreteLaplaceSampler(long scale) {
    if (scale < 1 || scale > LARGEST) {
      throw new IllegalArgumentException(
          "the scale must be 1 to 2^40 lattice units, but was " + scale);
    }
    this.scale = scale;
  }

  /**
   * A sampler whose scale is that many units, rounded up to a whole one: never less noise than was
   * asked for, and at most 2^-20 more, relatively, on a lattice that fits it.
   */
  static DiscreteLaplaceSampler atLeast(double units) {
    return new DiscreteLaplaceSampler((long) Math.ceil(units));
  }

  /** One draw. */
  long next(Keystream words) {
    while (true) {
      long rest = words.nextBelow(scale);
      if (!decays(rest, words)) {
        continue;
      }
      long magnitude = rest;
      while (decaysWhole(words)) {
        magnitude += scale;
      }
      boolean negative = words.nextLong() < 0;
      if (magnitude > 0 || !negative) { // else zero would come up twice as often
        return negative ? -magnitude : magnitude;
      }
    }
  }

  /** True with probability exp(-rest / scale), for a rest up to the scale. */
  private boolean decays(long rest, Keystream words) {
    for (int k = 1; ; k++) {
      if (words.nextBelow(k * scale) >= rest) { // else an event of probability rest / (k scale)
        return (k & 1) == 1;
      }
    }
  }

  /** True with probability exp(-1). */
  private static boolean decaysWhole(Keystream words) {
    for (int k = 2; ; k++) { // the event of k = 1 is certain
      if (words.nextBelow(k) != 0) {
        return (k & 1) == 1;
      }
    }
  }
}
