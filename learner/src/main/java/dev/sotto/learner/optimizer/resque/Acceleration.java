package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.optimizer.heavytail.Ball;

/**
 * The accelerated proximal point recursion that ball acceleration is made of. With {@code lambda
 * a^2 = A + a}, the potential {@code A (F(x) - F*) + ||v - x*||^2} does not grow but by the errors
 * of the oracles.
 */
public final class Acceleration {
  final double[] x;
  final double[] v;
  private double mass; // A

  /** At the origin. */
  public Acceleration(int dimension) {
    x = new double[dimension];
    v = new double[dimension];
  }

  /** x, the answer so far: a buffer. */
  public double[] x() {
    return x;
  }

  /** v: a buffer. */
  public double[] v() {
    return v;
  }

  /** A, the sum of all a so far. */
  public double mass() {
    return mass;
  }

  /** Goes on with the A that was written. */
  public void mass(double written) {
    mass = written;
  }

  /** Begins at a point. */
  public void begin(double[] at) {
    System.arraycopy(at, 0, x, 0, x.length);
    System.arraycopy(at, 0, v, 0, v.length);
    mass = 0;
  }

  /** a = (1 + sqrt(1 + 4 lambda A)) / (2 lambda). */
  double step(double lambda) {
    return (1 + Math.sqrt(1 + 4 * lambda * mass)) / (2 * lambda);
  }

  /** y = (A x + a v) / (A + a), the next centre. */
  public void center(double lambda, double[] into) {
    double share = step(lambda) / (mass + step(lambda));
    for (int i = 0; i < into.length; i++) {
      into[i] = x[i] + share * (v[i] - x[i]);
    }
  }

  /**
   * Moves v to {@code Proj(v - a lambda (y - z) / 2)}, and A to A + a.
   *
   * @param offset z - y for the stochastic proximal point z
   * @param set into which v is projected
   */
  public void advance(double lambda, double[] offset, Ball set) {
    double a = step(lambda);
    for (int i = 0; i < v.length; i++) {
      v[i] += 0.5 * a * lambda * offset[i];
    }
    set.project(v);
    mass += a;
  }
}
