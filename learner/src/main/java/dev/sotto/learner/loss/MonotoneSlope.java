package dev.sotto.learner.loss;

import java.util.Optional;

/**
 * The slope of a loss of one score whose convexity and smoothness are proved here: what a guarantee
 * may rest on that needs both (docs/privacy.md, "What the guarantee rests on"). Losses of anybody
 * else are not among them, whatever they say of themselves.
 *
 * <p>For every label the exact slope c is a function of the score s that never falls, and changes
 * by at most {@link #curvature} times as much as the score:
 *
 * <pre> logistic         sigmoid(s) - y            sigmoid' = sigmoid (1 - sigmoid) lies in (0,
 * 1/4] smoothed-hinge   -y max(0, min(1, (1 - y s) / gamma)), y = -1 or 1 piecewise linear, with
 * pieces of rise 0 and y^2 / gamma huber            max(-t, min(t, s - y))    pieces of rise 0 and
 * 1 squared          s - y                     rise 1 hinge            y k(y s - 1)              k
 * = {@link SmoothedKink} with slopes -1 and 0 absolute         k(s - y)                  slopes -1
 * and 1 quantile         k(s - y)                  slopes -q and 1 - q
 * </pre>
 *
 * {@code k(u) = l + (r - l) Phi(u / width)} has the derivative
 * {@code (r - l) phi(u / width) / width}, between 0 and {@code (r - l) / (width sqrt(2 pi))};
 * {@code y k(y s - 1)} has that times {@code y^2 = 1}. A slope that is cut to an interval, or
 * multiplied by a factor above 0, still never falls; cut, it changes no faster.
 *
 * <p>Computed slopes err by at most 2^-46 times {@link #lipschitz} and 2^-50 of themselves: u errs
 * relatively by 2^-53 and Phi by 2^-49 ({@link SmoothedKink#slopeError}); the others are at most
 * five operations on numbers between 0 and 1, or a difference that is cut. Immutable.
 */
public final class MonotoneSlope {
  private final Loss smooth; // null where there is a kink
  private final SmoothedKink kink;
  private final boolean ofMargin; // or of the residual

  private MonotoneSlope(Loss smooth, SmoothedKink kink, boolean ofMargin) {
    this.smooth = smooth;
    this.kink = kink;
    this.ofMargin = ofMargin;
  }

  /** That of an objective; empty where it is none of the list. */
  public static Optional<MonotoneSlope> of(Objective objective) {
    Loss loss = objective instanceof SingleScore single ? single.loss() : null;
    if (loss instanceof Logistic
        || loss instanceof SmoothedHinge
        || loss instanceof Huber
        || loss instanceof Squared) {
      return Optional.of(new MonotoneSlope(loss, null, false));
    }
    if (loss instanceof Hinge) {
      return Optional.of(new MonotoneSlope(null, SmoothedKink.HINGE, true));
    }
    if (loss instanceof Absolute) {
      return Optional.of(new MonotoneSlope(null, SmoothedKink.ABSOLUTE, false));
    }
    if (loss instanceof Quantile quantile) {
      SmoothedKink tilted = new SmoothedKink(-quantile.level(), 1 - quantile.level());
      return Optional.of(new MonotoneSlope(null, tilted, false));
    }
    return Optional.empty();
  }

  /** The names of all losses that have one, for sentences. */
  public static String names() {
    return "logistic, hinge, smoothed-hinge, squared, absolute, quantile and huber";
  }

  /**
   * The slope; the same bits on every machine.
   *
   * @param score finite
   * @param label that the loss admits
   * @param width of the Gaussian with which a kink is convolved, in the unit of scores; a normal
   *     number above 0, or 0 for the kink's own slope
   */
  public double at(double score, double label, double width) {
    if (kink == null) {
      return smooth.slope(score, label);
    }
    if (!ofMargin) {
      return kink.slope(score - label, width);
    }
    return label == 1 ? kink.slope(score - 1, width) : -kink.slope(-score - 1, width);
  }

  /** The largest change of the slope per change of the score. */
  public double curvature(double width) {
    return kink == null ? smooth.smoothness() : kink.smoothness(width);
  }

  /** The largest magnitude of a slope; infinite with squared errors. */
  public double lipschitz() {
    return kink == null ? smooth.lipschitz() : kink.lipschitz();
  }
}
