package dev.sotto.learner.release;

/**
 * How a round's metrics get their noise: a vector of figures per example, summed on a grid of its
 * own, under fresh noise in every round (docs/privacy.md, "The ledger"). The noisy sums of a
 * window's rounds are added up: post-processing.
 *
 * @param lattice its clip bounds the l2 norm of one example's figures
 * @param sigma standard deviation of the noise per figure of one round's sum; 0 for exact metrics
 *     of public data
 */
public record MetricsNoise(Lattice lattice, double sigma) {
  public MetricsNoise {
    if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be finite and at least 0, but was " + sigma);
    }
  }
}
