package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.plan.PlanFacts.orReason;

import dev.sotto.evaluation.plan.PlanForecast.Contribution;
import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.LargerBatch;
import dev.sotto.evaluation.plan.PlanForecast.Returner;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.training.Plan;
import java.util.List;

/** The rows of a forecast, one for each mechanism and number of rounds, with all their facts. */
final class PlanRows {
  private final Plan plan;

  PlanRows(Plan plan) {
    this.plan = plan;
  }

  Table table(List<Group> groups) {
    Table table = new Table("plan", List.of());
    for (Group group : groups) {
      if (group.rows().value().isEmpty()) {
        table.row(refused(group));
      }
      for (Row row : group.rows().value().orElse(List.of())) {
        table.row(row(group, row));
      }
    }
    return table;
  }

  private Section row(Group group, Row row) {
    long batch = plan.batch();
    Section facts = head(group.option())
        .append(PlanFacts.after(row.rounds()))
        .append(PlanFacts.noise(row.configured(), batch))
        .fact("batch", batch)
        .fact("sameBudget", orReason(row.sameBudget(), each -> PlanFacts.noise(each, batch)))
        .fact("madeForThis", orReason(row.madeForThis(), each -> PlanFacts.noise(each, batch)))
        .fact(
            "contributions",
            row.contributions().stream().map(PlanRows::contribution).toList())
        .fact("largerBatches", row.batches().stream().map(PlanRows::larger).toList());
    if (row.rounds() == PlanForecast.LIMIT && !group.returners().isEmpty()) {
      facts.fact(
          "returners",
          group.returners().stream()
              .map(each -> orReason(each, PlanRows::returner))
              .toList());
    }
    return facts.fact("reason", null);
  }

  /** The only row of a mechanism that cannot serve the plan. */
  private Section refused(Group group) {
    PlanForecast.Noise none = new PlanForecast.Noise(
        plan.sigma(),
        new PrivacyCost(Double.NaN, Double.NaN, plan.budget().delta(), false),
        new PrefixError(Double.NaN, Double.NaN));
    return head(group.option())
        .fact("rounds", null)
        .fact("limit", false)
        .append(PlanFacts.noise(none, plan.batch()))
        .fact("batch", plan.batch())
        .fact("reason", group.rows().reason());
  }

  private static Section head(MechanismOption option) {
    return Section.untitled()
        .fact("kind", "plan")
        .fact("mechanism", option.name())
        .fact("set", option.set().isEmpty() ? null : option.set())
        .fact("configured", option.configured());
  }

  private static Section contribution(Contribution contribution) {
    return Section.untitled()
        .fact("contributions", contribution.bound().most())
        .fact("roundsApart", contribution.bound().separation())
        .append(orReason(contribution.cost(), PlanFacts::cost))
        .fact("noiseFactor", contribution.factor());
  }

  /** The configured batch, in place of a larger one. */
  LargerBatch asConfigured(Row row) {
    return new LargerBatch(
        1, plan.batch(), row.rounds(), row.configured().cost(), row.configured().error());
  }

  static Section larger(LargerBatch larger) {
    long rounds = larger.rounds();
    return Section.untitled()
        .fact("batch", larger.batch())
        .fact("rounds", rounds == PlanForecast.LIMIT ? null : rounds)
        .append(PlanFacts.cost(larger.cost()))
        .append(PlanFacts.error(larger.error(), larger.batch()));
  }

  static Section returner(Returner returner) {
    return Section.untitled()
        .fact("every", returner.every())
        .fact("attempts", returner.attempts())
        .fact("admitted", returner.admitted());
  }
}
