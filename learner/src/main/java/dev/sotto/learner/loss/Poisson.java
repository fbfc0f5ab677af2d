package dev.sotto.learner.loss;

import java.util.Optional;

/**
 * Half the deviance of a count or rate under a Poisson law of mean {@code e^s}: {@code e^s - y s},
 * the negative log-likelihood, less what it is at best. Labels of at least 0. Infinite where e^s
 * overflows, at scores above 709; slope and prediction stop at {@code Double.MAX_VALUE} there.
 */
public record Poisson() implements Loss {
  @Override
  public double value(double score, double label) {
    double mean = StrictMath.exp(score);
    if (mean == Double.POSITIVE_INFINITY) {
      return mean;
    }
    double best = label == 0 ? 0 : label - label * StrictMath.log(label);
    return Math.max(0, mean - label * score - best);
  }

  @Override
  public double slope(double score, double label) {
    return predict(score) - label;
  }

  @Override
  public boolean admits(double label) {
    return label >= 0 && label < Double.POSITIVE_INFINITY;
  }

  @Override
  public double lipschitz() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double smoothness() {
    return Double.POSITIVE_INFINITY;
  }

  /** Scores are logarithms: noise of a quarter changes a mean by as much of itself. */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return labelRange < Double.POSITIVE_INFINITY
        ? Optional.of(new StepScale(labelRange / 4, 0.25, labelRange))
        : Optional.empty();
  }

  /** The mean. */
  @Override
  public double predict(double score) {
    return Math.min(Double.MAX_VALUE, StrictMath.exp(score));
  }
}
