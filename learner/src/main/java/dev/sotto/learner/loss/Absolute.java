package dev.sotto.learner.loss;

import java.util.Optional;

/**
 * The absolute error; any finite label. What it seeks is a median. The slope at an error of 0 is 0.
 */
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

  /** The curvature is that of a loss that bends within an eighth of the range. */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return StepScale.ofResiduals(labelRange, 1, 8 / labelRange);
  }

  @Override
  public Optional<StepScale> measuredScale() {
    return Optional.of(StepScale.ofMeasured(1, StepScale.CURVATURE_OF_MEASURED));
  }

  @Override
  public double predict(double score) {
    return score;
  }
}
