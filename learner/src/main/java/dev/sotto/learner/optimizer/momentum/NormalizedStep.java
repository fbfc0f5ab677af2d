package dev.sotto.learner.optimizer.momentum;

import dev.sotto.learner.example.Vectors;

/** Steps of one length: {@code w <- w - eta m / |m|}. */
public final class NormalizedStep {
  private NormalizedStep() {}

  /**
   * Takes one step. Where the direction is zero, or so small or large that it has none in doubles,
   * the weights stay.
   *
   * @param length eta
   */
  public static void take(double[] weights, double[] direction, double length) {
    double norm = Vectors.norm(direction, direction.length);
    if (!(norm >= Double.MIN_NORMAL && norm < Double.POSITIVE_INFINITY)) {
      return;
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] -= length * (direction[i] / norm);
    }
  }
}
