package dev.sotto.learner.mechanism;

/**
 * Noisy sums that a participating slot enters by secret coins, one of its own for each sum.
 *
 * @param rate probability of each coin, above 0 and below 1
 * @param noise standard deviation of the noise of each sum per coordinate, as a multiple of sigma
 * @param sums how many there are in one participation, at least 1
 */
public record SampledSums(double rate, double noise, long sums) {
  public SampledSums {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("rate must be above 0 and below 1, but was " + rate);
    }
    if (!(noise > 0) || noise == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("noise must be positive and finite, but was " + noise);
    }
    if (sums < 1) {
      throw new IllegalArgumentException("sums must be at least 1, but were " + sums);
    }
  }
}
