package dev.sotto.learner.round;

/**
 * What one round asks of each example: {@code scale grad f(point) - previousScale grad f(previous)}, clipped as one.
 * Public, since it follows from noisy answers.
 *
 * @param round from 1
 * @param scale factor of the gradient at the point
 * @param point the weights at which the gradient is taken; shared, not to be changed
 * @param previousScale factor of the gradient at the point of the round before
 * @param previous the point of the round before; empty where it is not asked for
 */
public record Question(
    long round, double scale, double[] point, double previousScale, double[] previous) {
  /** Whether the point of the round before is asked for too. */
  public boolean isDifference() {
    return previous.length > 0;
  }

  /** Everything that gradients are taken at. */
  double[][] points() {
    return isDifference() ? new double[][] {point, previous} : new double[][] {point};
  }
}
