package dev.sotto.learner.loss;

import java.util.Optional;

/**
 * max(0, 1 - y s) with the labels 0 and 1 read as y = -1 and +1. Finite for every finite score. At
 * the kink, y s = 1, the slope is 0.
 */
public record Hinge() implements Loss {
  @Override
  public double value(double score, double label) {
    return Math.max(0, 1 - sign(label) * score);
  }

  @Override
  public double slope(double score, double label) {
    double sign = sign(label);
    return sign * score < 1 ? -sign : 0;
  }

  @Override
  public boolean admits(double label) {
    return label == 0 || label == 1;
  }

  @Override
  public double lipschitz() {
    return 1;
  }

  @Override
  public double smoothness() {
    return Double.POSITIVE_INFINITY;
  }

  /** The curvature is that of the hinge smoothed over a margin of 1. */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return Optional.of(new StepScale(1, 0.25, 1));
  }

  /** The label on the score's side: 1 from 0 upwards, otherwise 0; a hinge knows no probability. */
  @Override
  public double predict(double score) {
    return score >= 0 ? 1 : 0;
  }

  private static double sign(double label) {
    return label == 1 ? 1 : -1;
  }
}
