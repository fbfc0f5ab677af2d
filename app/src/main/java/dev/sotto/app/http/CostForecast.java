package dev.sotto.app.http;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.training.Plan;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a number of rounds costs under a plan: the figures of the ledger, which follow from these
 * two alone. Safe for use by several threads.
 */
final class CostForecast {
  private static final int KEPT = 1_000;

  /** As in the ledger, left is rounded down. */
  record Cost(double mu, double epsilon, double left, boolean exhausted) {}

  private final Plan plan;
  private final Map<Long, Cost> known = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Cost> eldest) {
      return size() > KEPT;
    }
  };

  CostForecast(Plan plan) {
    this.plan = plan;
  }

  synchronized Cost of(long rounds) {
    Cost cost = known.get(rounds);
    if (cost == null) {
      cost = compute(rounds);
      known.put(rounds, cost);
    }
    return cost;
  }

  private Cost compute(long rounds) {
    boolean exhausted = !plan.account().allows(plan.budget(), rounds + 1);
    if (rounds == 0) {
      return new Cost(0, 0, plan.budget().epsilon(), exhausted);
    }
    Guarantee guarantee = plan.account().guarantee(rounds);
    double left = plan.budget().epsilon() - guarantee.epsilon();
    return new Cost(
        guarantee.mu(), guarantee.epsilon(), left > 0 ? Math.nextDown(left) : 0, exhausted);
  }
}
