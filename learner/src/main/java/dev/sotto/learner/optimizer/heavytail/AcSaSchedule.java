package dev.sotto.learner.optimizer.heavytail;

import java.util.OptionalDouble;

/**
 * The public numbers of {@link ClippedAcSa}: Theorem 9 with r_2 in T_2, so that the term without
 * privacy is {@code r_2 D / sqrt(n)}, and with batches of a whole number of slots.
 *
 * @param steps T, at least 1
 * @param batch s, slots of a step
 * @param clip C
 * @param noise standard deviation of the noise of a batch's mean
 * @param eta an inverse step size: the step of step t is {@code t / (2 eta)}
 */
public record AcSaSchedule(long steps, long batch, double clip, double noise, double eta) {
  /**
   * The schedule of a block.
   *
   * @param smoothness beta of the mean loss, at least 0
   * @param diameter D, a bound of the distance from the start to the optimum
   * @param clip public, where it is not to follow from the moments; then eta leaves its bias out
   */
  public static AcSaSchedule of(
      BlockSize size, Moments moments, double smoothness, double diameter, OptionalDouble clip) {
    double h = moments.inverse();
    long n = size.slots();
    double bend = smoothness * diameter;
    double hidden = StrictMath.pow(bend / moments.moment(), 2 / (5 - h))
        * StrictMath.pow(size.signal(), (2 - 2 * h) / (5 - h));
    double sampled = Math.sqrt(bend / moments.second()) * Math.sqrt(Math.sqrt(n));
    long steps = (long) BlockSize.ceil(Math.min(hidden, sampled), 1, n);
    long batch = n / steps;
    double cut =
        clip.orElse(moments.moment() * StrictMath.pow(size.signal() / Math.sqrt(steps), h));
    double noise = size.noise(cut, batch);
    double bias = clip.isPresent() ? 0 : ClipRules.bias(moments, cut);
    double variance = variance(size, moments.second(), noise, batch) + bias * bias;
    double eta = eta(steps, smoothness, variance, diameter);
    return new AcSaSchedule(steps, batch, cut, noise, eta);
  }

  static double eta(long steps, double smoothness, double variance, double diameter) {
    return Math.max(2 * smoothness, steps * Math.sqrt(steps) * Math.sqrt(variance) / diameter);
  }

  /** d sigma^2 + r_2^2 / s. */
  static double variance(BlockSize size, double second, double noise, long batch) {
    return size.dimension() * noise * noise + second * second / batch;
  }
}
