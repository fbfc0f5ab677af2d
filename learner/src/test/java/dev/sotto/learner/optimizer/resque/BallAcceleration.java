package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.optimizer.heavytail.Ball;

/**
 * Ball acceleration: minimises F by about {@code (R / r)^(2/3)} subproblems over balls of radius r,
 * whose lambda a bisection finds (Proposition 1). All of it is post-processing of the oracles'
 * answers, whose numbers of calls are bounded beforehand.
 *
 * <p>The paper takes the iteration from earlier work and does not print it. This one satisfies the
 * potential {@code A (F(x) - F*) + ||v - x*||^2} and the identity {@code lambda a^2 = A + a}.
 *
 * @param radius r of a ball, positive
 * @param least the smallest lambda, positive
 * @param most the largest: from 2 L / r on the ball never binds
 * @param iterations at most, at least 1
 * @param bisections calls of the line search in one iteration at most, at least 1
 * @param target the mass A at which it ends, {@code R^2 / accuracy}; positive
 */
public record BallAcceleration(
    double radius, double least, double most, int iterations, int bisections, double target) {
  private static final double NEAR = 1.0 / 2;
  private static final double FAR = 15.0 / 16;

  /**
   * The three kinds of oracle, each of which is called anew in every iteration.
   *
   * @param search within a fraction of r of the minimum; called for every lambda that is tried
   * @param optimum of small expected objective, once in an iteration
   * @param proximal of small bias, once in an iteration, independent of the optimum's
   */
  public record Oracles(BallOracle search, BallOracle optimum, BallOracle proximal) {}

  /**
   * What came out.
   *
   * @param point x
   * @param mass A, with which the excess of exact oracles is at most {@code ||x_0 - x*||^2 / A}
   * @param iterations that were made
   * @param searches calls of the line search
   */
  public record Outcome(double[] point, double mass, int iterations, int searches) {}

  public BallAcceleration {
    if (!(radius > 0 && least > 0 && most >= least && target > 0)
        || most == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("radius, lambdas and target must be positive, and the"
          + " lambdas finite and in order, but were " + radius + ", " + least + " to " + most
          + " and " + target);
    }
    if (iterations < 1 || bisections < 1) {
      throw new IllegalArgumentException("iterations and bisections must be at least 1, but were "
          + iterations + " and " + bisections);
    }
  }

  /**
   * Runs.
   *
   * @param start x_0, not changed
   * @param set into which v is projected
   */
  public Outcome run(double[] start, Ball set, Oracles oracles) {
    int length = start.length;
    Acceleration state = new Acceleration(length);
    state.begin(start);
    double[] center = new double[length];
    double[] answer = new double[length];
    int done = 0;
    int searches = 0;
    while (done < iterations && state.mass() < target) {
      double low = least;
      double high = most;
      double lambda = Math.sqrt(low) * Math.sqrt(high);
      boolean found = false;
      for (int call = 0; call < bisections && !found; call++, searches++) {
        state.center(lambda, center);
        oracles.search().answer(center, lambda, answer);
        double distance = distance(answer, center);
        if (distance > FAR * radius) {
          low = lambda;
        } else if (distance < NEAR * radius && lambda > 2 * least) {
          high = lambda;
        } else {
          found = true;
        }
        // Where nothing was found, the smallest lambda that was not too small.
        lambda = found ? lambda : call + 1 < bisections ? Math.sqrt(low) * Math.sqrt(high) : high;
      }
      state.center(lambda, center);
      oracles.proximal().answer(center, lambda, answer);
      oracles.optimum().answer(center, lambda, state.x);
      for (int i = 0; i < length; i++) {
        answer[i] -= center[i];
      }
      state.advance(lambda, answer, set);
      done++;
    }
    return new Outcome(state.x.clone(), state.mass(), done, searches);
  }

  private static double distance(double[] a, double[] b) {
    double[] gap = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      gap[i] = a[i] - b[i];
    }
    return Vectors.norm(gap, gap.length);
  }
}
