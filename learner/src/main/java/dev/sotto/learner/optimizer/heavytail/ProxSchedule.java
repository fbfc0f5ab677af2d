package dev.sotto.learner.optimizer.heavytail;

import java.util.OptionalDouble;

/**
 * The public numbers of {@link ProxClippedSgd}: Theorem 20 with a number of steps that does not
 * refer to itself.
 *
 * @param steps T
 * @param batch s, slots of a step
 * @param clip C
 * @param noise standard deviation of the noise of a batch's mean
 * @param eta the step size, 1 / (2 beta)
 */
public record ProxSchedule(long steps, long batch, double clip, double noise, double eta) {
  /**
   * The schedule of a block.
   *
   * @param curvature of the loss without the term that has a proximal map, and the modulus of the
   *     whole
   * @param gap a bound of how much the start is worse than the optimum
   * @param clip public, where it is not to follow from the moments
   */
  public static ProxSchedule of(
      BlockSize size, Moments moments, Curvature curvature, double gap, OptionalDouble clip) {
    long n = size.slots();
    double second = moments.second() * moments.second();
    double gain = Math.max(StrictMath.E, gap * curvature.convexity() * n / second);
    double half = Math.ceil(curvature.condition() * StrictMath.log(gain));
    long steps = (long) BlockSize.ceil(2 * half, 1, n);
    long batch = n / steps;
    double cut =
        clip.orElse(moments.moment() * StrictMath.pow(size.signal() / steps, moments.inverse()));
    return new ProxSchedule(
        steps, batch, cut, size.noise(cut, batch), 1 / (2 * curvature.smoothness()));
  }
}
