package dev.sotto.learner.optimizer.resque.theory;

import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.Pool;
import dev.sotto.learner.optimizer.resque.ProximalStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One phase of the subsampled solver (Algorithms 3 and 4): stochastic gradient steps over entries
 * of its own, whose average is published with noise.
 *
 * @param steps T_i, entries that it uses
 * @param step eta_i
 * @param noise sigma_i, the standard deviation of a coordinate
 */
public record ErmPhase(long steps, double step, double noise) {
  /** C_cvx, as its proof gives it. */
  private static final double CONVEX = 16;

  /**
   * The phases of a call: T is rounded down to a power of two, and they use one entry less than
   * that. None for T = 1: then the start is returned and nothing is paid.
   *
   * @param distance r', a bound of the root mean squared distance from the start to the optimum
   */
  public static List<ErmPhase> of(SolverSize size, double distance) {
    if (!(distance > 0) || distance == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "distance must be positive and finite, but was " + distance);
    }
    double eta = distance
        / size.lipschitz()
        * Math.min(1 / Math.sqrt(size.queries()), size.beta() / Math.sqrt(size.dimension()));
    List<ErmPhase> phases = new ArrayList<>();
    for (long steps = Long.highestOneBit(size.queries()) / 2; steps >= 1; steps /= 2) {
      eta /= 4;
      phases.add(new ErmPhase(steps, eta, size.lipschitz() * eta / size.beta()));
    }
    return phases;
  }

  /** A bound of the expected gap of a call. */
  public static double gap(SolverSize size, double distance) {
    return CONVEX * size.lipschitz() * distance * size.error();
  }

  /**
   * Writes the average of the points at which gradients are weighted. It is secret until {@link
   * #publish} has added noise.
   *
   * @param pool of gradients at one centre
   * @param first entry of the phase
   * @param lambda of the regulariser around the centre, at least 0
   * @param radius r of the ball around the centre
   * @param offset where the phase begins, as an offset from the centre; then the average
   */
  public void average(Pool pool, int first, double lambda, double radius, double[] offset) {
    double[] y = offset.clone();
    Arrays.fill(offset, 0);
    for (int j = 0; j < steps; j++) {
      for (int i = 0; i < y.length; i++) {
        offset[i] += y[i];
      }
      ProximalStep.take(pool, first + j, step, lambda, y);
      Ball.project(y, null, radius);
    }
    for (int i = 0; i < y.length; i++) {
      offset[i] /= steps;
    }
  }

  /**
   * Adds noise to an average and moves it into the ball: without that the next phase would begin
   * where the weights' moments are not bounded.
   *
   * @param normals independent standard normal, one for each weight
   */
  public void publish(double[] offset, double[] normals, double radius) {
    for (int i = 0; i < offset.length; i++) {
      offset[i] += noise * normals[i];
    }
    Ball.project(offset, null, radius);
  }
}
