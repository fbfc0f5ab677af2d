package dev.sotto.learner.loss;

/**
 * Half the squared error; any finite label. Infinite where the square overflows, beyond errors of
 * about 1e154; the slope is infinite only where the error itself overflows.
 */
public record Squared() implements Loss {
  @Override
  public double value(double score, double label) {
    double error = score - label;
    return 0.5 * error * error;
  }

  @Override
  public double slope(double score, double label) {
    return score - label;
  }

  @Override
  public boolean admits(double label) {
    return Double.isFinite(label);
  }

  @Override
  public double lipschitz() {
    return Double.POSITIVE_INFINITY;
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
