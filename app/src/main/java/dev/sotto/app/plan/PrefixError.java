package dev.sotto.app.plan;

import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.release.Mechanism;

/**
 * How far off the noise puts a prefix sum, as a standard deviation per coordinate of the sum of gradients; divide by
 * the batch size for the prefix of batch means. A generation begins a new prefix.
 *
 * @param std after exactly so many rounds; at the limit as {@code worst}
 * @param worst the largest after any number of rounds up to then; infinite where it has no limit
 */
public record PrefixError(double std, double worst) {
  /** After so many rounds, or at the limit. */
  static PrefixError of(Mechanism mechanism, Generations generations, double sigma, long rounds) {
    double worst = sigma * Math.sqrt(worstVariance(mechanism, longest(generations, rounds)));
    return new PrefixError(
        rounds == Outlook.LIMIT
            ? worst
            : sigma * Math.sqrt(mechanism.prefixVariance(generations.within(rounds))),
        worst);
  }

  /** The longest prefix so far. */
  private static long longest(Generations generations, long rounds) {
    if (rounds == Outlook.LIMIT) {
      return generations.kind() == Generations.Kind.CONSTANT ? generations.first() : rounds;
    }
    int running = generations.of(rounds);
    long within = generations.within(rounds);
    return running == 0 ? within : Math.max(generations.length(running - 1), within);
  }

  /**
   * The largest variance of a prefix of at most so many rounds. Of most mechanisms it is the last one's; a tree's
   * peaks are at one less than a power of two.
   */
  static double worstVariance(Mechanism mechanism, long rounds) {
    if (rounds == Outlook.LIMIT) {
      return Double.POSITIVE_INFINITY; // of any mechanism whose cost is finite (blt.md section 2)
    }
    double worst = mechanism.prefixVariance(rounds);
    for (long peak = 1; peak > 0 && peak <= rounds; peak = 2 * peak + 1) {
      worst = Math.max(worst, mechanism.prefixVariance(peak));
    }
    return worst;
  }
}
