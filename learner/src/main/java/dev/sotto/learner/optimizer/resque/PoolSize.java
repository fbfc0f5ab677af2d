package dev.sotto.learner.optimizer.resque;

/**
 * What the noise of ordered passes and calls follows from; all of it is public.
 *
 * @param slots n of a block, at least 1
 * @param dimension d, at least 1
 * @param clip L, the l2 bound of a gradient, positive
 * @param distance R, a bound of the distance from the start to the optimum, positive
 * @param noise standard deviation of the noise that one sum of gradients would need, relative to
 *     the clip, if it were the only query of the block; at least 0
 */
public record PoolSize(long slots, int dimension, double clip, double distance, double noise) {
  public PoolSize {
    if (slots < 1 || dimension < 1) {
      throw new IllegalArgumentException(
          "slots and dimension must be at least 1, but were " + slots + " and " + dimension);
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
