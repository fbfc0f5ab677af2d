package dev.sotto.learner.loss;

/**
 * A convex loss of one score (the inner product of weights and features) against one label. The
 * gradient at an example is {@code slope(score, label)} times its features. Convexity and the bounds
 * below serve utility only; no privacy guarantee rests on them (privacy.md section 8).
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

  /** What is predicted from a score: a probability, or a value in the label's unit. */
  double predict(double score);
}
