package dev.sotto.learner.loss;

/** The absolute error; any finite label. What it seeks is a median. The slope at an error of 0 is 0. */
public record Absolute() implements Loss {
  @Override
  public double value(double score, double label) {
    return Math.abs(score - label);
  }

  @Override
  public double slope(double score, double label) {
    return Math.signum(score - label);
  }

  @Override
  public boolean admits(double label) {
    return Double.isFinite(label);
  }

  @Override
  public double lipschitz() {
    return 1;
  }

  @Override
  public double smoothness() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double predict(double score) {
    return score;
  }
}
