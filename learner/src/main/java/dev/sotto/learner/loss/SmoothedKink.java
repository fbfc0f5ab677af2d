package dev.sotto.learner.loss;

import dev.sotto.learner.example.NormalTail;

/**
 * A convex function of one number with one kink, at 0, convolved with a Gaussian: {@code E phi(u +
 * s Z)}. Of a loss {@code phi(<a, x>)} whose weights are convolved with N(0, rho^2 I) the width s
 * is {@code rho ||a||}. The absolute error has the slopes -1 and 1 of the residual; the hinge -1
 * and 0 of the margin less 1; a quantile's q - 1 and q.
 *
 * @param left slope below 0, finite
 * @param right slope above 0, finite, not less than the left
 */
public record SmoothedKink(double left, double right) {
  private static final double ROOT_TWO_PI = 2.5066282746310002;

  /** |u|. */
  public static final SmoothedKink ABSOLUTE = new SmoothedKink(-1, 1);

  /** max(0, -u), u being the margin less 1. */
  public static final SmoothedKink HINGE = new SmoothedKink(-1, 0);

  public SmoothedKink {
    if (!(left <= right && left > Double.NEGATIVE_INFINITY && right < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the slopes must be finite and the right one not less than"
          + " the left, but were " + left + " and " + right);
    }
  }

  /**
   * The slope, {@code left + (right - left) Phi(u / s)}: the same bits on every machine.
   *
   * @param u any number
   * @param width s, at least 0; below the normal numbers the slope is that of the kink itself
   */
  public double slope(double u, double width) {
    if (width < Double.MIN_NORMAL) {
      return u < 0 ? left : u > 0 ? right : (left + right) / 2;
    }
    double slope = left + (right - left) * NormalTail.probability(u / width);
    return Math.max(left, Math.min(right, slope));
  }

  /** The largest magnitude of a slope. */
  public double lipschitz() {
    return Math.max(Math.abs(left), Math.abs(right));
  }

  /** The largest second derivative, {@code (right - left) / (s sqrt(2 pi))}. */
  public double smoothness(double width) {
    return (right - left) / (width * ROOT_TWO_PI);
  }
}
