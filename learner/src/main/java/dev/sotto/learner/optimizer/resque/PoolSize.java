package dev.sotto.learner.optimizer.resque;

/**
 * What a {@link PoolSchedule} follows from; all of it is public.
 *
 * @param slots n of a block, at least 1
 * @param dimension d, at least 1
 * @param outputs c: linear outputs through which the loss depends on the weights, 1 for a loss of
 *     one score; 0 where it is not known to depend on fewer numbers than d. Only c of the d
 *     directions are smoothed, so a perturbation costs {@code L rho sqrt(c)}, not {@code L rho
 *     sqrt(d)}
 * @param clip L, the l2 bound of a gradient, positive
 * @param distance R, a bound of the distance from the start to the optimum, positive
 * @param noise standard deviation of the noise that one sum of gradients would need, relative to
 *     the clip, if it were the only query of the block; at least 0
 */
public record PoolSize(
    long slots, int dimension, int outputs, double clip, double distance, double noise) {
  public PoolSize {
    if (slots < 1 || dimension < 1 || outputs < 0) {
      throw new IllegalArgumentException("slots and dimension must be at least 1 and outputs at"
          + " least 0, but were " + slots + ", " + dimension + " and " + outputs);
    }
    if (!(clip > 0 && distance > 0) || clip * distance == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "clip and distance must be positive and finite, but were " + clip + " and " + distance);
    }
    if (!(noise >= 0)) {
      throw new IllegalArgumentException("noise must be at least 0, but was " + noise);
    }
  }
}
