package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyAccountant;

/**
 * Whether the budget covers a round: asked as the round before it closes, at a start, and before
 * one is opened for workers. (The first ones are opened for them before there is a model, as far as
 * {@link Plan#allows} says.) It is the one place where the budget stops a running model; a budget
 * of each unit stops records instead, and no rounds ({@link UnitAdmission}). What covers a later
 * round covers the earlier ones, so it is asked for whole spans of rounds first. The spans are
 * fixed: the answer does not depend on what was asked before.
 */
final class CoveredRounds {
  private static final long SPAN = 1024;

  private final PrivacyAccountant account;
  private final Budget budget;
  private final boolean endless;
  private long coveredUpTo;

  CoveredRounds(PrivacyAccountant account, Budget budget) {
    this.account = account;
    this.budget = budget;
    this.endless =
        account.muLimit() < Double.POSITIVE_INFINITY && account.allows(budget, Long.MAX_VALUE);
  }

  boolean covers(long round) {
    if (endless || round <= coveredUpTo) {
      return true;
    }
    long end = (round + SPAN - 1) / SPAN * SPAN;
    if (account.allows(budget, end)) {
      coveredUpTo = end;
      return true;
    }
    return account.allows(budget, round);
  }
}
