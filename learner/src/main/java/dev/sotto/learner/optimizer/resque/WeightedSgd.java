package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.optimizer.heavytail.Ball;
import java.util.Arrays;

/**
 * Strongly convex stochastic gradient descent, an average that weighs step t with t: with {@code
 * eta = 2 / (lambda (t + 1))}, {@code u = Proj((u - eta w_t(u) G_t) / (1 + eta lambda))}. The first
 * step from u = 0 has {@code eta lambda = 1}.
 *
 * @param lambda positive
 * @param radius r of the ball
 */
public record WeightedSgd(double lambda, double radius) implements BallSolver {
  @Override
  public void solve(Pool pool, int first, int entries, double[] into) {
    double[] u = new double[into.length];
    Arrays.fill(into, 0);
    double weights = 0;
    for (int t = 1; t <= entries; t++) {
      weights += t;
      double share = t / weights;
      for (int i = 0; i < u.length; i++) {
        into[i] += share * (u[i] - into[i]);
      }
      double eta = 2 / (lambda * (t + 1));
      ProximalStep.take(pool, first + t - 1, eta, lambda, u);
      Ball.project(u, null, radius);
    }
  }

  @Override
  public int leastEntries() {
    return 2;
  }

  @Override
  public String describe() {
    return "weighted-sgd";
  }
}
