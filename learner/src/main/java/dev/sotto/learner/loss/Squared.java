package dev.sotto.learner.loss;

import java.util.Optional;

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

  /** A quarter of the range clips few gradients once something has been learned. */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return StepScale.ofResiduals(labelRange, labelRange / 4, 1)
        .map(each -> each.withAutoClip(0.75));
  }

  @Override
  public Optional<StepScale> measuredScale() {
    return Optional.of(StepScale.ofMeasured(StepScale.CLIP_OF_MEASURED, 1));
  }

  @Override
  public double predict(double score) {
    return score;
  }
}
