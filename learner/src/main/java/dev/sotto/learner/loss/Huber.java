package dev.sotto.learner.loss;

/**
 * Half the squared error up to a threshold, linear beyond it; any finite label. The value is
 * infinite only where the error, or its product with the threshold, overflows; the slope never is.
 *
 * @param threshold the error at which it turns linear, positive and finite
 */
public record Huber(double threshold) implements Loss {
  /** Where nothing else is configured. */
  public static final double DEFAULT_THRESHOLD = 1;

  public Huber {
    if (!(threshold > 0) || threshold == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "threshold must be positive and finite, but was " + threshold);
    }
  }

  /** A threshold of {@link #DEFAULT_THRESHOLD}. */
  public Huber() {
    this(DEFAULT_THRESHOLD);
  }

  @Override
  public double value(double score, double label) {
    double error = Math.abs(score - label);
    return error <= threshold ? 0.5 * error * error : threshold * (error - 0.5 * threshold);
  }

  @Override
  public double slope(double score, double label) {
    return Math.max(-threshold, Math.min(threshold, score - label));
  }

  @Override
  public boolean admits(double label) {
    return Double.isFinite(label);
  }

  @Override
  public double lipschitz() {
    return threshold;
  }

  @Override
  public double smoothness() {
    return 1;
  }

  @Override
  public double predict(double score) {
    return score;
  }
}
