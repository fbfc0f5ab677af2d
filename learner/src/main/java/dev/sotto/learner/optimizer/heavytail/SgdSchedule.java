package dev.sotto.learner.optimizer.heavytail;

import java.util.OptionalDouble;

/**
 * The public numbers of {@link ClippedSgd}: Theorem 11, with T + 1 batches that share the block
 * (the paper's loop reads one batch more than there are slots for).
 *
 * @param last T: steps are 0 to T
 * @param batch s, slots of a step
 * @param clip C
 * @param noise standard deviation of the noise of a batch's mean
 * @param curvature of the mean loss
 */
public record SgdSchedule(long last, long batch, double clip, double noise, Curvature curvature) {
  /**
   * The schedule of a block of at least 2 slots.
   *
   * @param diameter D, a bound of the distance from the start to the optimum
   * @param clip public, where it is not to follow from the moments
   */
  public static SgdSchedule of(
      BlockSize size, Moments moments, Curvature curvature, double diameter, OptionalDouble clip) {
    double h = moments.inverse();
    double beta = curvature.smoothness();
    long n = size.slots();
    if (n < 2) {
      throw new IllegalArgumentException("a block must have at least 2 slots, but had " + n);
    }
    double relative = diameter / moments.moment();
    double gain = curvature.convexity()
        * beta
        * relative
        * relative
        * (n + StrictMath.pow(size.signal(), 2 - 2 * h));
    double steps = gain <= 1 ? 1 : 4 * curvature.condition() * StrictMath.log(gain);
    long last = (long) BlockSize.ceil(steps, 1, n - 1);
    long batch = n / (last + 1);
    double cut = clip.orElse(moments.moment() * StrictMath.pow(size.signal() / Math.sqrt(last), h));
    return new SgdSchedule(last, batch, cut, size.noise(cut, batch), curvature);
  }

  private double condition() {
    return curvature.condition();
  }

  private boolean isShort() {
    return last <= 2 * condition();
  }

  /** Where steps begin to fall: the upper half of T / 2. */
  private long middle() {
    return last - last / 2;
  }

  /** The step size of a step, from 0. */
  double eta(long t) {
    return isShort() || t < middle()
        ? 1 / curvature.smoothness()
        : 4 / (curvature.convexity() * (4 * condition() + t - middle()));
  }

  /** The weight of the point behind a step, from 0; a constant factor means nothing. */
  double weight(long t) {
    if (isShort()) {
      return StrictMath.pow(1 - 1 / (2 * condition()), -(t + 1.0));
    }
    double place = 4 * condition() + t - middle();
    return t < middle() ? 0 : place * place;
  }
}
