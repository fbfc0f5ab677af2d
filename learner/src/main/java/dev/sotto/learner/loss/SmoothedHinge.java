package dev.sotto.learner.loss;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.Optional;

/**
 * The hinge with its kink rounded off: 0 from a margin {@code m = y s} of 1 upwards,
 * {@code (1 - m)^2 / (2 gamma)} down to {@code 1 - gamma}, and {@code 1 - m - gamma / 2} below;
 * labels 0 and 1 are read as y = -1 and +1. Finite for every score up to half the largest double.
 *
 * @param smoothing gamma, the width of the part that is curved, positive and finite
 */
public record SmoothedHinge(double smoothing) implements Loss {
  static final ConfigKey<Double> SMOOTHING = ConfigKey.of(
          "loss.smoothing",
          Domain.positive(),
          "The width of the margin over which `smoothed-hinge` is curved.")
      .orElse(1.0);

  public SmoothedHinge {
    if (!(smoothing > 0) || smoothing == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "smoothing must be positive and finite, but was " + smoothing);
    }
  }

  @Override
  public double value(double score, double label) {
    double missing = 1 - sign(label) * score;
    if (missing <= 0) {
      return 0;
    }
    return missing < smoothing ? 0.5 * missing * (missing / smoothing) : missing - 0.5 * smoothing;
  }

  @Override
  public double slope(double score, double label) {
    double sign = sign(label);
    return -sign * Math.max(0, Math.min(1, (1 - sign * score) / smoothing));
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
    return 1 / smoothing;
  }

  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return Optional.of(new StepScale(1, 0.25, smoothness()));
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
