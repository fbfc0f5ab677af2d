package dev.sotto.learner.optimizer.resque.smoothing;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.optimizer.heavytail.Ball;
import java.util.Arrays;

/**
 * The path of one phase over slots in their order: {@code y = Proj(y - eta c a)} for features a and a
 * slope c, and the sum of the points at which slopes are taken. All of it is secret until noise is
 * added to the average. Not safe for use by several threads.
 */
public final class SmoothedPath {
  private final double step;
  private final double radius;
  private final double[] y;
  private final double[] sum;
  private long steps;

  /**
   * At the start of a phase.
   *
   * @param start within the ball, copied
   * @param radius R of the ball around the origin
   * @param step eta
   */
  public SmoothedPath(double[] start, double radius, double step) {
    this.step = step;
    this.radius = radius;
    this.y = start.clone();
    this.sum = new double[start.length];
    Ball.project(y, null, radius);
  }

  /** {@code <a, y>}. */
  public double score(double[] features) {
    return Vectors.dot(y, features, y.length);
  }

  /**
   * Takes the step of one slot; that of a null slot has a slope of 0.
   *
   * @param features a
   * @param slope c of the loss at the {@link #score}
   */
  public void step(double[] features, double slope) {
    double factor = step * slope;
    for (int i = 0; i < y.length; i++) {
      sum[i] += y[i];
      y[i] -= factor * features[i];
    }
    Ball.project(y, null, radius);
    steps++;
  }

  /** The current point, a copy. */
  double[] point() {
    return y.clone();
  }

  /**
   * Writes the average of the points before each step.
   *
   * @throws IllegalStateException if there was none
   */
  public void average(double[] into) {
    if (steps == 0) {
      throw new IllegalStateException("a path of no steps has no average");
    }
    for (int i = 0; i < y.length; i++) {
      into[i] = sum[i] / steps;
    }
  }

  /** Begins at another point. */
  public void restart(double[] start) {
    System.arraycopy(start, 0, y, 0, y.length);
    Ball.project(y, null, radius);
    Arrays.fill(sum, 0);
    steps = 0;
  }
}
