package dev.sotto.learner.optimizer.momentum;

/**
 * What schedules know of a loss and its noise. All of it is public, and serves utility only.
 *
 * @param gap R: by how much the loss at the start exceeds its least value
 * @param smoothness L, at features of norm 1
 * @param clip C: the l2 norm to which a gradient is cut
 * @param dimension d
 * @param noise kappa C / mu: the standard deviation of the noise of a sum whose price is one
 *     participation; 0 without noise
 */
public record Landscape(double gap, double smoothness, double clip, int dimension, double noise) {
  public Landscape {
    check("gap", gap);
    check("smoothness", smoothness);
    check("clip", clip);
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
    if (!(noise >= 0 && noise < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("noise must be finite and not negative, but was " + noise);
    }
  }

  private static void check(String what, double value) {
    if (!(value > 0) || value == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(what + " must be positive and finite, but was " + value);
    }
  }

  /**
   * The same where nobody knows the gap: a gradient as long as the clip lets a smooth loss fall by
   * {@code C^2 / (2 L)}.
   */
  public static Landscape of(double smoothness, double clip, int dimension, double noise) {
    check("smoothness", smoothness);
    check("clip", clip);
    return new Landscape(clip * clip / (2 * smoothness), smoothness, clip, dimension, noise);
  }

  /** The norm of the noise of a sum: {@code sqrt(d) kappa C / mu}. */
  double noiseNorm() {
    return Math.sqrt(dimension) * noise;
  }
}
