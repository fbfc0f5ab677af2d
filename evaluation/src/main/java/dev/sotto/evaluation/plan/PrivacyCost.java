package dev.sotto.evaluation.plan;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.training.Plan;

/**
 * The cost of everything published up to some round, by the learner's own accountant.
 *
 * @param mu at least 0; infinite where there is no limit
 * @param epsilon at delta, rounded up as in the ledger
 * @param delta the plan's, or 0 where epsilon is pure
 * @param allowed whether the plan's budget covers it
 */
public record PrivacyCost(double mu, double epsilon, double delta, boolean allowed) {
  /** After a number of rounds, or at the limit. */
  static PrivacyCost of(PrivacyAccountant account, Plan plan, long rounds) {
    boolean limit = rounds == PlanForecast.LIMIT;
    Guarantee guarantee = account.guarantee(limit ? 1 : rounds);
    return new PrivacyCost(
        limit ? guarantee.muLimit() : guarantee.mu(),
        limit ? guarantee.epsilonLimit() : guarantee.epsilon(),
        guarantee.delta(),
        account.allows(plan.budget(), rounds));
  }
}
