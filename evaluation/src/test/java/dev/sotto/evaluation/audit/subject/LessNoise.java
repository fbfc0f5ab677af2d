package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;

/**
 * The product's learner with less noise than its ledger claims.
 *
 * @param factor of the noise, below 1
 */
public record LessNoise(String name, double factor) implements AuditSubject {
  /** Half of the noise that is claimed. */
  public static final AuditSubject HALF =
      new LessNoise("this learner with sigma / 2, while the ledger says sigma", 0.5);

  /** What it really costs may exceed every budget; its false ledger does not. */
  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    PlanBuilder variant = plan.toBuilder()
        .sigma(factor * plan.sigma())
        .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
        .participation(plan.participation().withBudgets(1 / factor));
    return ProductLearner.AS_IT_IS.start(variant.build(), identity, window);
  }
}
