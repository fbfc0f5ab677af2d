package dev.sotto.learner.training;

/**
 * What one round asks of each example:
 * {@code scale grad f(point) - previousScale grad f(previous)}, clipped as one. Public, since it
 * follows from noisy answers.
 *
 * @param round from 1
 * @param scale factor of the gradient at the point
 * @param point the weights at which the gradient is taken; shared, not to be changed
 * @param previousScale factor of the gradient at the point of the round before
 * @param previous the point of the round before; empty where it is not asked for
 */
public record GradientQuery(
    long round, double scale, double[] point, double previousScale, double[] previous) {
  private static final double[] NONE = {};

  /**
   * The query of a round, for a learner that knows the points alone.
   *
   * @param before the point of the round before; not read where the plan does not ask for it
   */
  public static GradientQuery of(Plan plan, long round, double[] point, double[] before) {
    long within = plan.generations().within(round);
    boolean difference = plan.optimizer().isRecursive() && within > 1;
    return new GradientQuery(
        round,
        plan.optimizer().scale(within),
        point,
        difference ? plan.optimizer().scale(within - 1) : 0,
        difference ? before : NONE);
  }

  /** Whether the point of the round before is asked for too. */
  public boolean isDifference() {
    return previous.length > 0;
  }

  /** Everything that gradients are taken at. */
  double[][] points() {
    return isDifference() ? new double[][] {point, previous} : new double[][] {point};
  }
}
