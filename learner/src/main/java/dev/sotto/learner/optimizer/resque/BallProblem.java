package dev.sotto.learner.optimizer.resque;

/**
 * The problem that a {@link BallSolver} solves: F is a loss of Lipschitz constant L, convolved with
 * N(0, rho^2 I), and so L / rho smooth.
 *
 * @param lipschitz L, positive
 * @param rho positive
 * @param radius r of the ball, positive and at most rho: the variance of a weight is e - 1 there, and
 *     53 at twice that
 * @param lambda of the regulariser, positive
 */
public record BallProblem(double lipschitz, double rho, double radius, double lambda) {
  public BallProblem {
    for (double each : new double[] {lipschitz, rho, radius, lambda}) {
      if (!(each > 0) || each == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "lipschitz, rho, radius and lambda must be positive and finite, but were " + lipschitz
                + ", " + rho + ", " + radius + " and " + lambda);
      }
    }
    if (radius > rho) {
      throw new IllegalArgumentException(
          "radius must be at most rho, but was " + radius + " with " + rho);
    }
  }

  String describe() {
    return "lipschitz=" + Double.toHexString(lipschitz) + " rho=" + Double.toHexString(rho)
        + " radius=" + Double.toHexString(radius) + " lambda=" + Double.toHexString(lambda);
  }
}
