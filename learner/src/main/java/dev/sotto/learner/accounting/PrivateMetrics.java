package dev.sotto.learner.accounting;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.MetricsNoise;

/**
 * Private metrics of the examples before they are learned from (progressive validation): which
 * figures, under how much noise. One example gives a vector of not negative figures with four that
 * may differ from 0: its loss over {@code lossBound}, cut to [0, 1]; 1 for right or 1 for wrong, by
 * the side of 1/2 on which it was predicted; and, in the bin of its prediction, 1 - label and
 * label. Weights of examples have no part in it.
 *
 * <p>Each of the two pairs sums to 1, so that its l2 norm is at most 1: telling both sides costs no
 * more than telling one, and a share in percent is then a ratio of two figures whose noise partly
 * cancels.
 *
 * @param sigma standard deviation of the noise per figure of one round's sum; 0 for exact metrics,
 *     which void the guarantee: for public or synthetic data only
 * @param lossBound the loss that counts as 1, positive
 * @param bins of the reliability curve, at least 1
 * @param window rounds published together, at least: windows end with versions
 */
public record PrivateMetrics(double sigma, double lossBound, int bins, long window) {
  /**
   * The l2 norm of one example's figures, at most: loss, right or wrong, and the bin's pair have 1
   * each. Longer ones are cut, rounding to the grid included; that takes a fully wrong example's
   * figures down by 2^-11 at most.
   */
  public static final double VECTOR_NORM = Math.sqrt(3);

  /** Places of figures. */
  public static final int LOSS = 0;

  public static final int RIGHT = 1;
  public static final int WRONG = 2;

  public PrivateMetrics {
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

  /** Where the figure of the negative labels of a bin is. */
  public static int negatives(int bin) {
    return 3 + 2 * bin;
  }

  /** Where the figure of the positive labels of a bin is. */
  public static int positives(int bin) {
    return 4 + 2 * bin;
  }

  /**
   * Writes the figures of one example before it is learned from.
   *
   * @return false where the loss or the prediction is not a number: the example then has no figures
   */
  public boolean measure(Objective.Pass pass, double label, Example into) {
    double value = pass.value(label);
    double predicted = unit(pass.predicted());
    if (Double.isNaN(value) || Double.isNaN(predicted)) {
      return false;
    }
    double target = unit(pass.target(label));
    boolean right = pass.isRight(label);
    int bin = Math.min(bins - 1, (int) (predicted * bins));
    into.reserve(4);
    put(into, 0, LOSS, unit(value / lossBound));
    put(into, 1, right ? RIGHT : WRONG, 1);
    put(into, 2, negatives(bin), 1 - target);
    put(into, 3, positives(bin), target);
    into.ascending(4);
    return true;
  }

  private static void put(Example into, int place, int figure, double value) {
    into.indices()[place] = figure;
    into.values()[place] = value;
  }

  private static double unit(double value) {
    return Math.max(0, Math.min(1, value));
  }

  /** How many figures there are: loss, right, wrong, and two a bin. */
  public int figures() {
    return 3 + 2 * bins;
  }

  /** What one participation costs: s_m / sigma_m; infinite for exact metrics. */
  public double ratio(Adjacency adjacency) {
    return sensitivity(adjacency) / sigma;
  }

  /**
   * s_m: with k participations, the l2 distance of two neighbouring streams' figures is at most
   * sqrt(k) times this. No figure is negative, so replaced ones have |a - b|^2 <= |a|^2 + |b|^2 at
   * most, in whatever rounds they lie.
   */
  static double sensitivity(Adjacency adjacency) {
    return switch (adjacency) {
      case ZERO_OUT -> VECTOR_NORM;
      case REPLACE_ONE -> VECTOR_NORM * Math.sqrt(2);
    };
  }

  public MetricsNoise metering(long batch) {
    double grid = sigma == 0 ? 1 : sigma; // exact sums too lie on a grid
    return new MetricsNoise(Lattice.fit(VECTOR_NORM, grid, figures(), batch), sigma);
  }

  /** In one line, the same for equal plans. */
  public String describe() {
    return "sigma=" + Double.toHexString(sigma) + " lossBound=" + Double.toHexString(lossBound)
        + " bins=" + bins + " window=" + window;
  }
}
