package dev.sotto.learner.loss;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.Optional;

/**
 * The pinball loss: {@code tau (y - s)} where the label lies above the score,
 * {@code (1 - tau) (s - y)} where it lies below; any finite label. What it seeks is the
 * tau-quantile. The slope at an error of 0 is 0.
 *
 * @param level tau, above 0 and below 1
 */
public record Quantile(double level) implements Loss {
  /** By default the median, at half the absolute error. */
  static final ConfigKey<Double> LEVEL = ConfigKey.of(
          "loss.quantile",
          Domain.fraction(),
          "The share of labels below the prediction of `quantile`.")
      .orElse(0.5);

  public Quantile {
    if (!(level > 0 && level < 1)) {
      throw new IllegalArgumentException("level must be above 0 and below 1, but was " + level);
    }
  }

  @Override
  public double value(double score, double label) {
    return score < label ? level * (label - score) : (1 - level) * (score - label);
  }

  @Override
  public double slope(double score, double label) {
    double error = score - label;
    if (error > 0) {
      return 1 - level;
    }
    return error < 0 ? -level : error; // 0, or NaN
  }

  @Override
  public boolean admits(double label) {
    return Double.isFinite(label);
  }

  @Override
  public double lipschitz() {
    return Math.max(level, 1 - level);
  }

  @Override
  public double smoothness() {
    return Double.POSITIVE_INFINITY;
  }

  /** That of the absolute error, times the larger slope. */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return StepScale.ofResiduals(labelRange, lipschitz(), 8 * lipschitz() / labelRange);
  }

  @Override
  public Optional<StepScale> measuredScale() {
    return Optional.of(
        StepScale.ofMeasured(lipschitz(), lipschitz() * StepScale.CURVATURE_OF_MEASURED));
  }

  @Override
  public double predict(double score) {
    return score;
  }
}
