package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Projection;

/**
 * What a learner without privacy can do with logistic loss: many passes for the optimum, or one.
 */
final class Optimum {
  private static final Loss LOSS = new Logistic();
  private static final double SMOOTHNESS = 0.25; // rows have norm 1
  private static final int MOST_STEPS = 20_000;

  private Optimum() {}

  /**
   * The weights of least mean loss in the ball of a radius: Nesterov's method with projections,
   * restarted where it goes uphill, until a step is shorter than a tolerance.
   */
  static double[] inBall(RealSet set, double radius, double tolerance) {
    Projection ball = new EuclideanBall(null, radius);
    int d = set.dimension();
    double[] weights = new double[d];
    double[] point = new double[d];
    double momentum = 1;
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] gradient = gradient(set, point);
      double[] next = new double[d];
      for (int j = 0; j < d; j++) {
        next[j] = point[j] - gradient[j] / SMOOTHNESS;
      }
      ball.project(next);
      double squares = 0;
      double uphill = 0;
      for (int j = 0; j < d; j++) {
        squares += (next[j] - point[j]) * (next[j] - point[j]);
        uphill += (point[j] - next[j]) * (next[j] - weights[j]);
      }
      if (Math.sqrt(squares) < tolerance) {
        return next;
      }
      double before = uphill > 0 ? 1 : momentum;
      momentum = (1 + Math.sqrt(1 + 4 * before * before)) / 2;
      double carry = uphill > 0 ? 0 : (before - 1) / momentum;
      for (int j = 0; j < d; j++) {
        point[j] = next[j] + carry * (next[j] - weights[j]);
      }
      weights = next;
    }
    throw new IllegalStateException(
        "the optimum was not found within " + MOST_STEPS + " steps to " + tolerance);
  }

  private static double[] gradient(RealSet set, double[] point) {
    double[] sum = new double[set.dimension()];
    for (int i = 0; i < set.count(); i++) {
      set.addTo(sum, i, LOSS.slope(set.dot(i, point), set.label(i)) / set.count());
    }
    return sum;
  }

  /** One pass of SGD at a constant rate, each row predicted before it is learned. */
  static BinaryScores onePass(RealSet set, double rate) {
    BinaryScores scores = new BinaryScores(set.count());
    double[] weights = new double[set.dimension()];
    for (int i = 0; i < set.count(); i++) {
      double score = set.dot(i, weights);
      scores.add(score, set.label(i));
      set.addTo(weights, i, -rate * LOSS.slope(score, set.label(i)));
    }
    return scores;
  }
}
