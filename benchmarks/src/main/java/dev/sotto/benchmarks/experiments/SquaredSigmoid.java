package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.loss.Loss;

/**
 * A smooth loss that is not convex: {@code (1 - s(y z))^2} of score z and label y of -1 or 1 (0 or
 * 1 in records), s the logistic function. Only experiments use it.
 */
final class SquaredSigmoid implements Loss {
  /** The largest slope, 8 / 27: where s is 1/3. */
  static final double LIPSCHITZ = 8 / 27.0;

  static final double SMOOTHNESS = 0.1541;

  @Override
  public double value(double score, double label) {
    double wrong = 1 / (1 + StrictMath.exp(label > 0 ? score : -score));
    return wrong * wrong;
  }

  @Override
  public double slope(double score, double label) {
    double wrong = 1 / (1 + StrictMath.exp(label > 0 ? score : -score));
    double slope = 2 * wrong * wrong * (1 - wrong);
    return label > 0 ? -slope : slope;
  }

  @Override
  public boolean admits(double label) {
    return label == 0 || label == 1;
  }

  @Override
  public double lipschitz() {
    return LIPSCHITZ;
  }

  @Override
  public double smoothness() {
    return SMOOTHNESS;
  }

  @Override
  public double predict(double score) {
    return 1 / (1 + StrictMath.exp(-score));
  }
}
