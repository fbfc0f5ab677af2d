package dev.sotto.learner.optimizer;

import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.PlanFigures;

/**
 * What other round sizes would do to steps that follow from the noise. A function of public
 * numbers: the same records, under the configured noise of a round.
 */
final class StepTable {
  private static final long PLANNED_SLOTS = 1L << 20;
  private static final long SMALLEST = 8;
  private static final long LARGEST = 1 << 14;

  private StepTable() {}

  /** The section, of steps in a plan. */
  static Section of(StepSize.NoiseAware steps, PlanFigures plan) {
    Table table = Table.forPeople(
        Column.text("round", "round"),
        Column.text("rounds", "rounds"),
        Column.number("draws", "draws per slot"),
        Column.number("step", "step per record"));
    double best = step(plan, steps, SMALLEST);
    for (long batch = SMALLEST; batch <= Math.max(LARGEST, plan.batch()); batch *= 2) {
      double step = step(plan, steps, batch);
      String mark = batch == plan.batch() ? " *" : "";
      table.row(
          Section.untitled()
              .fact("round", batch + mark)
              .fact("rounds", PLANNED_SLOTS / batch)
              .fact("draws", (double) plan.dimension() / batch)
              .fact("step", step),
          isCurvature(plan, steps, batch)
              ? "held by the curvature, " + number(best / step) + " times smaller than at best"
              : "as large as the noise allows");
    }
    return Section.titled("Rounds of other sizes (* the configured one), after 2^20 records")
        .add(table)
        .lines(
            "A round's noise does not grow with its slots, so small rounds cost no privacy worth",
            "mentioning and allow larger steps, up to what the noise bears; each draws noise for",
            "every weight once more. batch.size auto takes the largest at which noise decides.");
  }

  private static double step(PlanFigures plan, StepSize.NoiseAware steps, long batch) {
    StepSize other = new StepSize.NoiseAware(
        steps.mechanism(), plan.sigma(), batch, steps.scale(), steps.shrinks(), false);
    return other.eta(PLANNED_SLOTS / batch + 1) / batch;
  }

  private static boolean isCurvature(PlanFigures plan, StepSize.NoiseAware steps, long batch) {
    StepScale scale = steps.scale();
    double deviation =
        plan.sigma() * Math.sqrt(steps.mechanism().largestPrefixVariance(PLANNED_SLOTS / batch));
    return step(plan, steps, batch) < scale.noise() / deviation * (1 - 1e-9);
  }
}
