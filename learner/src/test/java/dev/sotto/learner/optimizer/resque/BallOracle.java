package dev.sotto.learner.optimizer.resque;

/**
 * Finds a point near {@code argmin F(x) + (lambda / 2) ||x - center||^2} over the ball of radius r
 * around a centre. How near is a matter of the oracle (Definitions 1, 3 and 4).
 */
@FunctionalInterface
public interface BallOracle {
  /**
   * Answers.
   *
   * @param center not changed
   * @param lambda positive
   * @param into where the point is written
   */
  void answer(double[] center, double lambda, double[] into);
}
