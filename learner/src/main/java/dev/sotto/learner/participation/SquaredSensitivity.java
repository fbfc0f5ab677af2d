package dev.sotto.learner.participation;

/**
 * The largest squared l2 norm of C u within one generation, over the schedules u that a bound
 * admits.
 */
@FunctionalInterface
public interface SquaredSensitivity {
  /**
   * Never falls as the rounds or the participations grow.
   *
   * @param rounds of the generation so far, at least 1; {@link Long#MAX_VALUE} for the limit
   *     without end
   * @param bound on the participations within it
   */
  double of(long rounds, ContributionBound bound);
}
