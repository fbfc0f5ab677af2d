package dev.sotto.learner.optimizer.heavytail;

/**
 * How a mean loss bends.
 *
 * @param smoothness beta, positive and finite
 * @param convexity modulus of strong convexity (or of the proximal Polyak-Lojasiewicz inequality),
 *     positive and at most beta
 */
public record Curvature(double smoothness, double convexity) {
  public Curvature {
    if (!(smoothness > 0) || smoothness == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "smoothness must be positive and finite, but was " + smoothness);
    }
    if (!(convexity > 0 && convexity <= smoothness)) {
      throw new IllegalArgumentException(
          "strong convexity must be positive and at most the smoothness " + smoothness
              + ", but was " + convexity);
    }
  }

  /** kappa. */
  double condition() {
    return smoothness / convexity;
  }
}
