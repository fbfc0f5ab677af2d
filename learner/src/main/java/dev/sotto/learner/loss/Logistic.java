package dev.sotto.learner.loss;

import java.util.Optional;

/**
 * Cross-entropy of the label against sigmoid(score); labels in [0, 1], where one between is the
 * probability of a 1. Finite for every finite score.
 */
public record Logistic() implements Loss {
  /** Below it a prediction lies under one half by more than it is rounded. */
  private static final double CLEAR = -1e-8;

  /** ln(1 + e^s) - y s, arranged so that nothing overflows or cancels. */
  @Override
  public double value(double score, double label) {
    double linear = score > 0 ? (1 - label) * score : -label * score;
    return linear + StrictMath.log1p(StrictMath.exp(-Math.abs(score)));
  }

  /** sigmoid(s) - y, as (1 - y) sigmoid(s) - y sigmoid(-s), which keeps its digits near 0. */
  @Override
  public double slope(double score, double label) {
    double small = StrictMath.exp(-Math.abs(score));
    return score >= 0
        ? ((1 - label) - label * small) / (1 + small)
        : ((1 - label) * small - label) / (1 + small);
  }

  @Override
  public boolean admits(double label) {
    return label >= 0 && label <= 1;
  }

  @Override
  public double lipschitz() {
    return 1;
  }

  /** The slope of the sigmoid at 0. */
  @Override
  public double smoothness() {
    return 0.25;
  }

  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return Optional.of(new StepScale(lipschitz(), 0.5, smoothness()).withAutoClip(0.75));
  }

  /** The probability of label 1. */
  @Override
  public double predict(double score) {
    double small = StrictMath.exp(-Math.abs(score));
    return score >= 0 ? 1 / (1 + small) : small / (1 + small);
  }

  /** Without the exponential, except just below 0, where rounding decides. */
  @Override
  public boolean decidesForOne(double score) {
    return score >= 0 || score > CLEAR && predict(score) >= 0.5;
  }
}
