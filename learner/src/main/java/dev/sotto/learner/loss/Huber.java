package dev.sotto.learner.loss;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.Optional;

/**
 * Half the squared error up to a threshold, linear beyond it; any finite label. The value is
 * infinite only where the error, or its product with the threshold, overflows; the slope never is.
 *
 * @param threshold the error at which it turns linear, positive and finite
 */
public record Huber(double threshold) implements Loss {
  static final ConfigKey<Double> THRESHOLD = ConfigKey.of(
          "loss.threshold", Domain.positive(), "The error at which `huber` turns linear.")
      .orElse(1.0);

  public Huber {
    if (!(threshold > 0) || threshold == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "threshold must be positive and finite, but was " + threshold);
    }
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

  /** That of half the squared error; the threshold says how large errors are, too. */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    double range = Math.min(labelRange, 4 * threshold);
    return StepScale.ofResiduals(range, range / 4, 1);
  }

  @Override
  public double predict(double score) {
    return score;
  }
}
