package dev.sotto.learner.round;

import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.Metering;

/**
 * Private metrics of the examples before they are learned from (progressive validation): which figures, under how
 * much noise. One example gives a vector: its loss over {@code lossBound}, cut to [0, 1]; 1 where it was predicted
 * right; 1 in the bin of its prediction; its label in the same bin. Counts of examples follow from the bins.
 *
 * @param sigma standard deviation of the noise per figure of one round's sum; 0 for exact metrics, which void the
 *     guarantee: for public or synthetic data only
 * @param lossBound the loss that counts as 1, positive
 * @param bins of the reliability curve, at least 1
 * @param window rounds published together
 */
public record MetricsPlan(double sigma, double lossBound, int bins, long window) {
  /** The l2 norm of one example's figures, at most: four of them, each within [0, 1]. */
  public static final double VECTOR_NORM = 2;

  public MetricsPlan {
    if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be finite and at least 0, but was " + sigma);
    }
    if (!(lossBound > 0) || lossBound == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "lossBound must be positive and finite, but was " + lossBound);
    }
    if (bins < 1 || bins > 1000) {
      throw new IllegalArgumentException("bins must be 1 to 1000, but were " + bins);
    }
    if (window < 1) {
      throw new IllegalArgumentException("window must be at least 1 round, but was " + window);
    }
  }

  /** Whether the metrics carry no noise at all. */
  public boolean exact() {
    return sigma == 0;
  }

  /** How many figures there are: loss, correct, and two a bin. */
  public int figures() {
    return 2 + 2 * bins;
  }

  /** What one participation costs: s_m / sigma_m; infinite for exact metrics. */
  public double ratio(Adjacency adjacency) {
    return adjacency.sensitivity(VECTOR_NORM) / sigma;
  }

  Metering metering(long batch) {
    double grid = sigma == 0 ? 1 : sigma; // exact sums too lie on a grid
    return new Metering(Lattice.fit(VECTOR_NORM, grid, figures(), batch), sigma, window);
  }

  /** In one line, the same for equal plans. */
  public String describe() {
    return "sigma=" + Double.toHexString(sigma) + " lossBound=" + Double.toHexString(lossBound)
        + " bins=" + bins + " window=" + window;
  }
}
