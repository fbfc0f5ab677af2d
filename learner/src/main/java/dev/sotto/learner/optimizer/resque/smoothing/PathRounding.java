package dev.sotto.learner.optimizer.resque.smoothing;

import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.ImportanceWeight;

/**
 * A bound of what floating point adds to the distance of two runs of a path {@code y = Proj(y - eta
 * g)} over the ball of radius R around the origin.
 *
 * <p>Let T be the exact map of a step, which brings no two points further apart, and let the computed
 * step end within e of T(y), y being the computed point before it. Two runs that share a step then
 * part by 2 e more at most; so after n steps they are apart by no more than exact runs, and {@code 2
 * n e}. The exact path is never followed: its errors are those of single steps from computed points.
 *
 * <p>With {@code u = 2^-53}, d weights, {@code ||y|| <= R (1 + (d + 8) u)} and {@code ||g|| <= B},
 * first-order terms:
 *
 * <pre>
 * gradient    eta E               E = gradientError, how far the computed g is from the exact
 * product     2 u eta B           eta c, and that times a_i
 * difference  u (||y|| + eta B)   y_i less the product
 * projection  (d + 8) u R         the norm errs by (d + 2) u / 2 relatively, its root, the quotient,
 *                                 the product and the test of the norm by 4 u more
 * clip        (d + 8) u eta B     a slope that is cut to L / ||a||, where the norm is computed
 * underflow   2^-600 (1 + R)      of products, while ||a|| is at most 2^400; sums are exact there
 * </pre>
 *
 * <p>The bound of the projection counts each of d twice: what is left over holds the division by {@code
 * 1 + eta lambda} of a regularised step. All bounds of second order are below a hundredth of these while {@code (d + 8) u <= 2^-10}; 1.05
 * times the sum is taken. For a gradient {@code c(<a, y>) a} of one score:
 *
 * <pre>
 * score       ||a||^2 s d u ||y||  an inner product in any order errs by d u ||a|| ||y||; s is the
 *                                  second derivative of the loss, and eta s ||a||^2 at most 2
 * slope       ||a|| slopeError     the error of c at the computed score
 * underflow   2 d 2^-1074 / (eta ||a||), and 2 l ||a||, where l is the largest slope: the lesser is
 *             below the root of their product; l is at most 2^20 L
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
  private static final double UNDERFLOW = 0x1p-600;
  private static final double SECOND_ORDER = 1.05;

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
   * For a gradient of one score, a step of at most 2 over the smoothness, and a slope of {@link
   * SmoothedKink}.
   *
   * @param lipschitz L, the largest norm of a gradient before it is clipped
   */
  public static PathRounding linear(int dimension, double radius, double step, double lipschitz) {
    // ||a|| (|left| + |right|) is at most 2 L.
    double slope = 2 * lipschitz * 0x1p-47;
    double score = step == 0 ? 0 : 2 * dimension * U * radius / step;
    double underflow =
        step == 0 ? 0 : 2 * Math.sqrt(dimension * lipschitz) * 0x1p-526 / Math.sqrt(step);
    return new PathRounding(
        dimension, radius, step, lipschitz, (score + slope + underflow) * SECOND_ORDER);
  }

  /**
   * For a gradient G of norm L at most that was taken elsewhere, and is weighted by {@link
   * ImportanceWeight}. Its logarithm errs by {@code (d + 4) u (r X + r^2) / rho^2} at most, and the
   * exponential by 2 u relatively. Perturbations and weights have no bound: those beyond the two that
   * are given are to be paid for in delta.
   *
   * @param ball its problem, in offsets from the centre
   * @param perturbation X, the largest norm of a perturbation
   * @param weight W, the largest weight
   * @throws IllegalArgumentException where logarithms may err by more than a hundredth
   */
  public static PathRounding reweighted(
      int dimension, BallProblem ball, double step, double perturbation, double weight) {
    double reach = ball.radius() * perturbation + ball.radius() * ball.radius();
    double error = (dimension + 4.0) * U * reach / ball.rho() / ball.rho();
    if (!(error <= 0.01)) {
      throw new IllegalArgumentException(
          "the logarithm of a weight must err by at most 0.01, but may by " + error);
    }
    double largest = ball.lipschitz() * weight;
    return new PathRounding(
        dimension, ball.radius(), step, largest, SECOND_ORDER * largest * (error + 2 * U));
  }

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
