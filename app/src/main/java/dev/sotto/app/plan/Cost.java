package dev.sotto.app.plan;

import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.round.Account;
import dev.sotto.learner.round.Plan;

/**
 * What everything published up to some round costs, by the learner's own account.
 *
 * @param mu at least 0; infinite where there is no limit
 * @param epsilon at delta, rounded up as in the ledger
 * @param delta the plan's, or 0 where epsilon is pure
 * @param allowed whether the plan's budget covers it
 */
public record Cost(double mu, double epsilon, double delta, boolean allowed) {
  /** After so many rounds, or at the limit. */
  static Cost of(Account account, Plan plan, long rounds) {
    boolean limit = rounds == Outlook.LIMIT;
    Guarantee guarantee = account.guarantee(limit ? 1 : rounds);
    return new Cost(
        limit ? guarantee.muLimit() : guarantee.mu(),
        limit ? guarantee.epsilonLimit() : guarantee.epsilon(),
        guarantee.delta(),
        account.allows(plan.budget(), rounds));
  }
}
