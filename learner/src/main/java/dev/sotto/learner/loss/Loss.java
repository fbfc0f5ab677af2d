package dev.sotto.learner.loss;

import java.util.Optional;

/**
 * A convex loss of one score (the inner product of weights and features) against one label. The
 * gradient at an example is {@code slope(score, label)} times its features. Convexity and the
 * bounds below serve utility only; no privacy guarantee rests on them, but for the losses of
 * {@link MonotoneSlope} (docs/privacy.md, "What the guarantee rests on").
 */
public interface Loss {
  /** The loss, for a finite score and a label that {@link #admits} accepts. */
  double value(double score, double label);

  /** Any subgradient with respect to the score; the same bits on every machine. */
  double slope(double score, double label);

  /** Whether a label means something to this loss; one that does not makes its slot a null slot. */
  boolean admits(double label);

  /** The largest absolute slope, or infinity where there is none. */
  double lipschitz();

  /** The largest change of the slope per change of the score, or infinity where there is none. */
  double smoothness();

  /**
   * What step sizes need to know; empty where it is not known. By default it follows from the two
   * bounds above: where slopes go from 0 to their largest lies the scale of the scores.
   *
   * @param labelRange the difference of the largest and the smallest label; infinite where nobody
   *     knows
   */
  default Optional<StepScale> stepScale(double labelRange) {
    double slope = lipschitz();
    double curvature = smoothness();
    return slope < Double.POSITIVE_INFINITY && curvature < Double.POSITIVE_INFINITY
        ? Optional.of(new StepScale(slope, slope / (8 * curvature), curvature))
        : Optional.empty();
  }

  /**
   * The same where labels are in units of a range that was measured, in which four fifths of them
   * lie, and 0 is its middle; empty, as from the start, of a loss that does not take such labels.
   */
  default Optional<StepScale> measuredScale() {
    return Optional.empty();
  }

  /** What is predicted from a score: a probability, or a value in the label's unit. */
  double predict(double score);

  /** Whether {@link #predict} gives at least one half: the decision for label 1 against 0. */
  default boolean decidesForOne(double score) {
    return predict(score) >= 0.5;
  }
}
