package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.loss.SplitMix64;

/**
 * The perturbations xi ~ N(0, rho^2 I) at which the gradients of a pool are taken: functions of a
 * public seed and of two numbers, the same bits on every machine. Whoever knows the centre of a
 * query and its number knows the points. They hide nothing, and are never used as noise of a
 * release. Immutable.
 *
 * @param dimension d, at least 1
 * @param rho standard deviation of a coordinate, positive and finite
 * @param seed public
 */
public record Perturbations(int dimension, double rho, long seed) {
  public Perturbations {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
    if (!(rho > 0) || rho == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("rho must be positive and finite, but was " + rho);
    }
  }

  /**
   * Draws xi, by Marsaglia's polar method.
   *
   * @param query its number in the whole run, over all blocks, from 1
   * @param point of the query, from 0
   * @param into of d numbers
   */
  public void draw(long query, int point, double[] into) {
    SplitMix64 random =
        new SplitMix64(SplitMix64.mix(SplitMix64.mix(SplitMix64.mix(seed) + query) + point));
    for (int i = 0; i < dimension; i += 2) {
      double u;
      double v;
      double square;
      do {
        u = random.symmetric();
        v = random.symmetric();
        square = u * u + v * v;
      } while (square >= 1 || square == 0);
      double factor = rho * Math.sqrt(-2 * StrictMath.log(square) / square);
      into[i] = factor * u;
      if (i + 1 < dimension) {
        into[i + 1] = factor * v;
      }
    }
  }

  /** Writes the point {@code center + xi} at which gradients are taken. */
  public void point(long query, int point, double[] center, double[] into) {
    draw(query, point, into);
    for (int i = 0; i < dimension; i++) {
      into[i] += center[i];
    }
  }
}
