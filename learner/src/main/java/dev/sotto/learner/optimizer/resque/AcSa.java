package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.optimizer.heavytail.Ball;
import java.util.Arrays;

/**
 * Parallel AC-SA (Algorithm 2), in fewer steps than {@link EpochSgd}, each over a batch of entries.
 * As printed the coefficients do not sum to one, gamma lacks L / rho, alpha stands before one term
 * of two, and entries are used twice; these are the published algorithm's instead (Ghadimi and Lan).
 *
 * @param problem in the ball
 * @param sizing of epochs and batches
 */
public record AcSa(BallProblem problem, AcSaSizing sizing) implements BallSolver {
  /** What step t of an epoch computes with. */
  record Coefficients(double alpha, double gamma, double ofAverage, double ofPoint) {
    /**
     * Those of a step.
     *
     * @param t from 1
     */
    static Coefficients of(BallProblem problem, int t) {
      double smoothness = problem.lipschitz() / problem.rho() + problem.lambda();
      return of(problem.lambda(), 4 * smoothness / ((double) t * (t + 1)), 2.0 / (t + 1));
    }

    static Coefficients of(double lambda, double gamma, double alpha) {
      double sum = gamma + (1 - alpha * alpha) * lambda;
      return new Coefficients(
          alpha,
          gamma,
          (1 - alpha) * (lambda + gamma) / sum,
          alpha * ((1 - alpha) * lambda + gamma) / sum);
    }
  }

  @Override
  public void solve(Pool pool, int first, int entries, double[] into) {
    if (entries < sizing.entries()) {
      throw new IllegalArgumentException(
          "there must be at least " + sizing.entries() + " entries, but were " + entries);
    }
    int length = into.length;
    double lambda = problem.lambda();
    double[] x = new double[length];
    double[] middle = new double[length];
    double[] mean = new double[length];
    Arrays.fill(into, 0); // x_ag
    int next = first;
    for (int batch : sizing.batches()) {
      for (int t = 1; t <= sizing.steps(); t++) {
        Coefficients c = Coefficients.of(problem, t);
        for (int i = 0; i < length; i++) {
          middle[i] = c.ofAverage() * into[i] + c.ofPoint() * x[i];
          mean[i] = 0;
        }
        for (int end = next + batch; next < end; next++) {
          pool.add(next, middle, 1.0 / batch, mean);
        }
        double kept = (1 - c.alpha()) * lambda + c.gamma();
        for (int i = 0; i < length; i++) {
          // alpha lambda middle - alpha (mean + lambda middle): the offset is from the centre
          x[i] = (kept * x[i] - c.alpha() * mean[i]) / (lambda + c.gamma());
        }
        Ball.project(x, null, problem.radius());
        for (int i = 0; i < length; i++) {
          into[i] += c.alpha() * (x[i] - into[i]);
        }
      }
      System.arraycopy(into, 0, x, 0, length);
    }
  }

  @Override
  public int leastEntries() {
    return (int) Math.min(Integer.MAX_VALUE, sizing.entries());
  }

  @Override
  public String describe() {
    return "ac-sa " + sizing.describe();
  }
}
