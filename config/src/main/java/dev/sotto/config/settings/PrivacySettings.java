package dev.sotto.config.settings;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.participation.Participation;

/**
 * What a plan guarantees, and the noise that the guarantee needs.
 *
 * @param metrics private metrics, or null for none
 */
record PrivacySettings(
    Budget budget,
    AccountedNoise noise,
    AccountedContribution contribution,
    PrivateMetrics metrics) {
  /** The share of delta that failures of a mechanism may take. */
  private static final double OF_FAILURES = 0.01;

  /** More participations than this have no mu to speak of. */
  private static final long MOST_PARTICIPATIONS = 1 << 20;

  /** With a larger epsilon delta is of no use either. */
  private static final double LARGEST_EPSILON = 20;

  /**
   * The failure that one participation may have ({@link
   * dev.sotto.learner.mechanism.Mechanism#failure}), so that all of a unit's together take {@link
   * #OF_FAILURES} of delta.
   *
   * @param horizon rounds; {@link Long#MAX_VALUE} without an end
   */
  double failure(long horizon) {
    Participation rule = contribution.participation();
    long participations =
        rule.isBudgeted() ? 1 : Math.min(MOST_PARTICIPATIONS, rule.bound().within(horizon));
    int slots = noise.adjacency() == Adjacency.REPLACE_ONE ? 2 : 1; // of a participation, at most
    double epsilon = Math.min(LARGEST_EPSILON, budget.epsilon());
    return budget.delta() * OF_FAILURES / (slots * participations) / (1 + StrictMath.exp(epsilon));
  }
}
