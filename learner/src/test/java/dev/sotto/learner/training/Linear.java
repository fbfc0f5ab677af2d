package dev.sotto.learner.training;

import dev.sotto.learner.loss.Loss;

/** label * score: its gradient, label * features, is the same at every model. */
public record Linear() implements Loss {
  @Override
  public double value(double score, double label) {
    return label * score;
  }

  @Override
  public double slope(double score, double label) {
    return label;
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
    return 0;
  }

  @Override
  public double predict(double score) {
    return score;
  }
}
