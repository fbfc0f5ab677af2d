package dev.sotto.learner.mechanism;

/**
 * A bound of what floating point adds to the distance of two runs of a path {@code y = Proj(y - eta
 * g)} over the ball of radius R around the origin.
 *
 * <p>Let T be the exact map of a step, which brings no two points further apart, and let the
 * computed step end within e of T(y), y being the computed point before it. Two runs that share a
 * step then part by 2 e more at most; so after n steps they are apart by no more than exact runs,
 * and {@code 2 n e}. The exact path is never followed: its errors are those of single steps from
 * computed points.
 *
 * <p>With {@code u = 2^-53}, d weights, {@code ||y|| <= R (1 + (d + 8) u)} and {@code ||g|| <= B},
 * first-order terms:
 *
 * <pre>
 * gradient    eta E               E = gradientError, how far the computed g is from the exact
 * product     2 u eta B           eta c, and that times a_i
 * difference  u (||y|| + eta B)   y_i less the product
 * projection  (d + 8) u R         the norm errs by (d + 2) u / 2 relatively; root, quotient,
 *                                 product and the test of the norm by 4 u more
 * clip        (d + 8) u eta B     a slope that is cut to L / ||a||, where the norm is computed
 * underflow   2^-400 (1 + R)      of products, while ||a|| is at most 2^400 and the unit of lengths
 *                                 at least 2^-200; sums are exact there
 * </pre>
 *
 * <p>The bound of the projection counts each of d twice: what is left over holds the division by
 * {@code 1 + eta lambda} of a regularised step. All bounds of second order are below a hundredth of
 * these while {@code (d + 8) u <= 2^-10}; 1.05 times the sum is taken. For a gradient {@code c(<a,
 * y>) a} of one score:
 *
 * <pre>
 * score       ||a||^2 s d u ||y||  an inner product in any order errs by d u ||a|| ||y||; s is the
 *                                  second derivative of the loss, and eta s ||a||^2 at most 2
 * slope       SLOPE_ERROR          ||a|| times the error of c at the computed score
 * </pre>
 *
 * <p>An average of n computed points adds {@code (n + 1) u R}: a sum in any order errs by (n - 1) u
 * times the sum of the norms, and the division by u.
 *
 * @param dimension d, at least 1
 * @param radius R, positive and finite
 * @param step eta, at least 0
 * @param gradient B, at least 0
 * @param gradientError E, at least 0
 */
public record PathRounding(
    int dimension, double radius, double step, double gradient, double gradientError) {
  private static final double U = 0x1p-53;
  private static final double UNDERFLOW = 0x1p-400;
  private static final double SECOND_ORDER = 1.05;

  /**
   * How far slopes, times ||a||, may be off, in units of the largest norm of a gradient: 2^-46 of a
   * gradient that is at most 64 times too long before it is cut, 2^-50 of one that is cut, and two
   * more products. It bounds what underflows in scores, too, where ||a|| is at least 2^-400 and the
   * largest norm at least 2^-200.
   */
  static final double SLOPE_ERROR = 0x1.1p-40;

  public PathRounding {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
    if (!(radius > 0 && radius < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("radius must be positive and finite, but was " + radius);
    }
    if (!(step >= 0 && gradient >= 0 && gradientError >= 0)
        || step * (gradient + gradientError) == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("step, gradient and its error must be at least 0 and their"
          + " product finite, but were " + step + ", " + gradient + " and " + gradientError);
    }
  }

  /**
   * For gradients {@code c(<a, y>) a} of norm 1 at most, whose slopes err by {@link
   * #SLOPE_ERROR}, and steps of at most {@code eta} and 2 over the smoothness of each.
   *
   * @param radius R, in units of the largest norm of a gradient
   */
  public static PathRounding ofScores(int dimension, double radius, double step) {
    double score = 2 * dimension * U * radius / step;
    return new PathRounding(dimension, radius, step, 1, (score + SLOPE_ERROR) * SECOND_ORDER);
  }

  /**
   * For gradients of norm L at most that were taken at perturbations xi of a centre, times {@link
   * ImportanceWeight}. The logarithm of a weight errs by {@code (d + 4) u (r X + r^2) / rho^2} at
   * most, and the exponential by 2 u relatively. Perturbations and weights have no bound: those
   * beyond the two that are given are to be paid for in delta.
   *
   * @param radius r of the ball around the centre
   * @param lipschitz L
   * @param weights X and W, and rho
   * @throws IllegalArgumentException where logarithms may err by more than a hundredth
   */
  public static PathRounding ofWeights(
      int dimension, double radius, double lipschitz, double step, Weights weights) {
    double t = radius / weights.rho();
    double error = (dimension + 4.0) * U * t * (weights.longest() + t);
    if (!(error <= 0.01)) {
      throw new IllegalArgumentException(
          "the logarithm of a weight must err by at most 0.01, but may by " + error);
    }
    double largest = lipschitz * weights.largest();
    return new PathRounding(
        dimension, radius, step, largest, SECOND_ORDER * largest * (error + 2 * U));
  }

  /**
   * Bounds of what a step is weighted by.
   *
   * @param rho standard deviation of the perturbations
   * @param longest X, the largest norm of a perturbation, in units of rho
   * @param largest W, the largest weight
   */
  public record Weights(double rho, double longest, double largest) {}

  /** e, the error of one step. */
  public double ofStep() {
    double moved = step * gradient;
    double relative = radius + moved + 2 * moved + (dimension + 8.0) * (radius + moved);
    return SECOND_ORDER * (step * gradientError + U * relative + UNDERFLOW * (1 + radius));
  }

  /** How far a computed path of some steps may be from where exact steps would have led. */
  public double ofPath(long steps) {
    return SECOND_ORDER * steps * ofStep();
  }

  /** The same for the average of its points; twice that is what a sensitivity grows by. */
  public double ofAverage(long steps) {
    return ofPath(steps) + SECOND_ORDER * (steps + 1) * U * radius;
  }
}
