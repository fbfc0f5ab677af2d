package dev.sotto.learner.optimizer.resque.theory;

import dev.sotto.learner.mechanism.PathRounding;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.ImportanceWeight;

/** {@link PathRounding} of steps along gradients that {@link ImportanceWeight} weights. */
public final class WeightedRounding {
  private static final double U = 0x1p-53;
  private static final double SECOND_ORDER = 1.05;

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
    double reach = ball.radius() * perturbation + ball.radius() * ball.radius();
    double error = (dimension + 4.0) * U * reach / ball.rho() / ball.rho();
    if (!(error <= 0.01)) {
      throw new IllegalArgumentException(
          "the logarithm of a weight must err by at most 0.01, but may by " + error);
    }
    double largest = ball.lipschitz() * weight;
    return new PathRounding(
        dimension, ball.radius(), step, largest, SECOND_ORDER * largest * (error + 2 * U));
  }
}
