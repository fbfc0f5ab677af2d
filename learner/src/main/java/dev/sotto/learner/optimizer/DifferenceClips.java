package dev.sotto.learner.optimizer;

/**
 * A per-example map of two gradients, each cut first: with c_r the projection onto the l2 ball of
 * radius r, {@code (1 - share) c_difference(c_gradient(g) - c_gradient(g')) + share c_gradient(g)},
 * g taken at the query's point and g' at its earlier one. The clip norm of the plan bounds the
 * whole, whatever these are. Where a query has no earlier point the difference is zero.
 *
 * @param gradient radius of one gradient, positive
 * @param difference radius of a difference, positive
 * @param share of the fresh gradient, from 0 to 1
 */
public record DifferenceClips(double gradient, double difference, double share)
    implements GradientMap {
  public DifferenceClips {
    if (!(gradient > 0) || !(difference > 0) || !(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "radii must be positive and the share from 0 to 1, but were " + gradient + ", "
              + difference + " and " + share);
    }
  }
}
