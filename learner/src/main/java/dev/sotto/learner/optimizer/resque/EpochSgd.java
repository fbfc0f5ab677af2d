package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.optimizer.heavytail.Ball;
import java.util.Arrays;

/**
 * Parallel EpochSGD (Algorithm 1): epochs of 16, 32, 64, ... points, each of which begins at the
 * average of the one before, with half its step. An epoch uses one entry less than it has points.
 * With fewer than 16 entries the answer is the centre, which is within 2 L^2 / lambda of the
 * optimum (Lemma 8).
 *
 * @param lambda positive
 * @param radius r of the ball
 */
public record EpochSgd(double lambda, double radius) implements BallSolver {
  static final int FIRST = 16;

  @Override
  public void solve(Pool pool, int first, int entries, double[] into) {
    double[] u = new double[into.length];
    Arrays.fill(into, 0);
    double eta = 1 / (4 * lambda);
    int used = 0;
    for (int epoch = FIRST; epoch <= entries - used; epoch *= 2) {
      double shrink = 1 / (1 + eta * lambda);
      for (int i = 0; i < u.length; i++) {
        u[i] = into[i] * shrink;
      }
      Ball.project(u, null, radius);
      System.arraycopy(u, 0, into, 0, u.length);
      for (int t = 1; t < epoch; t++) {
        ProximalStep.take(pool, first + used + t, eta, lambda, u);
        Ball.project(u, null, radius);
        for (int i = 0; i < u.length; i++) {
          into[i] += u[i];
        }
      }
      for (int i = 0; i < u.length; i++) {
        into[i] /= epoch;
      }
      used += epoch;
      eta /= 2;
    }
  }

  @Override
  public int leastEntries() {
    return FIRST;
  }

  @Override
  public String describe() {
    return "epoch-sgd";
  }
}
