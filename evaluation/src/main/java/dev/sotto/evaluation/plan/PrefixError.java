package dev.sotto.evaluation.plan;

import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.GenerationSchedule;

/**
 * How far off the noise puts a prefix sum, as a standard deviation per coordinate of the sum of
 * gradients; divide by the batch size for the prefix of batch means. A generation begins a new
 * prefix.
 *
 * @param std after exactly this number of rounds; at the limit as {@code worst}
 * @param worst the largest after any number of rounds up to then; infinite where it has no limit
 */
public record PrefixError(double std, double worst) {
  /** After a number of rounds, or at the limit. */
  static PrefixError of(
      PrefixMechanism mechanism, GenerationSchedule generations, double sigma, long rounds) {
    double worst = sigma * Math.sqrt(worstVariance(mechanism, longest(generations, rounds)));
    return new PrefixError(
        rounds == PlanForecast.LIMIT
            ? worst
            : sigma * Math.sqrt(mechanism.prefixVariance(generations.within(rounds))),
        worst);
  }

  /** The longest prefix so far. */
  private static long longest(GenerationSchedule generations, long rounds) {
    if (rounds == PlanForecast.LIMIT) {
      return generations.kind() == GenerationSchedule.Kind.CONSTANT ? generations.first() : rounds;
    }
    int running = generations.of(rounds);
    long within = generations.within(rounds);
    return running == 0 ? within : Math.max(generations.length(running - 1), within);
  }

  /**
   * The largest variance of a prefix of at most {@code rounds} rounds. Of most mechanisms it is the
   * last one's; a tree's peaks are at one less than a power of two.
   */
  static double worstVariance(PrefixMechanism mechanism, long rounds) {
    if (rounds == PlanForecast.LIMIT) {
      return Double
          .POSITIVE_INFINITY; // of any mechanism whose cost is finite (docs/blt.md, "How to choose
      // a set")
    }
    double worst = mechanism.prefixVariance(rounds);
    for (long peak = 1; peak > 0 && peak <= rounds; peak = 2 * peak + 1) {
      worst = Math.max(worst, mechanism.prefixVariance(peak));
    }
    return worst;
  }
}
