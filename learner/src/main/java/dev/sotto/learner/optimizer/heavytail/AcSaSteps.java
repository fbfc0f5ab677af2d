package dev.sotto.learner.optimizer.heavytail;

/**
 * The steps of {@link ClippedAcSa} at a clip that earlier blocks have released: those of
 * {@link AcSaSchedule} where a clip is given, so without its bias.
 *
 * @param size of a block
 * @param second r_2, where it is known of gradients that are not cut; infinite where it is not
 * @param smoothness beta of the mean loss
 * @param diameter D
 */
public record AcSaSteps(BlockSize size, double second, double smoothness, double diameter) {
  /** The inverse step size; a gradient that is cut has a second moment of at most its clip. */
  double eta(AcSaSchedule schedule, double clip) {
    double noise = size.noise(clip, schedule.batch());
    double variance = AcSaSchedule.variance(size, Math.min(second, clip), noise, schedule.batch());
    return AcSaSchedule.eta(schedule.steps(), smoothness, variance, diameter);
  }
}
