package dev.sotto.learner.optimizer;

import dev.sotto.learner.mechanism.PrefixMechanism;

/**
 * The noise of prefix sums, which is public.
 *
 * @param mechanism how it is put together
 * @param sigma its standard deviation per coordinate of one round's sum; the scale of a pure
 *     mechanism
 * @param longest rounds of the longest prefix that is planned: a generation, or the horizon; {@link
 *     Long#MAX_VALUE} where it does not end
 */
public record PrefixNoise(PrefixMechanism mechanism, double sigma, long longest) {
  /** The slots that a stream without an end is planned for. */
  private static final long PLANNED_SLOTS = 1L << 20;

  /** The largest standard deviation of one coordinate up to the longest prefix. */
  double deviation(long batch) {
    long rounds = Math.min(longest, (PLANNED_SLOTS + batch - 1) / batch);
    return sigma * Math.sqrt(mechanism.largestPrefixVariance(rounds));
  }

  /** Whether there is none. */
  boolean isNone() {
    return sigma == 0 || mechanism.prefixVariance(1) == 0;
  }
}
