package dev.sotto.learner.optimizer;

/**
 * A closed convex set, by the point of it that is nearest. Immutable, so safe for use by several
 * threads.
 */
public interface Projection {
  /**
   * Moves a point to the nearest one of the set, in the l2 norm. The same bits on every machine;
   * always finite: where the set has no bound, coordinates stop at {@code Double.MAX_VALUE}.
   *
   * @param point no NaN; infinite coordinates count as the largest finite ones
   */
  void project(double[] point);

  /** The name of the set and its numbers, as canonical text. */
  String describe();
}
