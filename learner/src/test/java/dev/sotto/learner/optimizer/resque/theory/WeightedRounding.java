package dev.sotto.learner.optimizer.resque.theory;

import dev.sotto.learner.mechanism.ImportanceWeight;
import dev.sotto.learner.mechanism.PathRounding;
import dev.sotto.learner.optimizer.resque.BallProblem;

/** {@link PathRounding} of steps along gradients that {@link ImportanceWeight} weights. */
public final class WeightedRounding {
  private WeightedRounding() {}

  /**
   * For a gradient of norm L at most that was taken elsewhere. Its weight's logarithm errs by {@code
   * (d + 4) u (r X + r^2) / rho^2} at most, and the exponential by 2 u relatively. Perturbations and
   * weights have no bound: those beyond the two that are given are to be paid for in delta.
   *
   * @param ball its problem, in offsets from the centre
   * @param perturbation X, the largest norm of a perturbation
   * @param weight W, the largest weight
   * @throws IllegalArgumentException where logarithms may err by more than a hundredth
   */
  public static PathRounding of(
      int dimension, BallProblem ball, double step, double perturbation, double weight) {
    return PathRounding.ofWeights(
        dimension,
        ball.radius(),
        ball.lipschitz(),
        step,
        new PathRounding.Weights(ball.rho(), perturbation / ball.rho(), weight));
  }
}
