package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.plan.FigureWording.lines;
import static dev.sotto.evaluation.plan.FigureWording.number;

import dev.sotto.evaluation.text.TextTable;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import java.util.List;

/**
 * What other round sizes would do to steps that follow from the noise. A function of public numbers:
 * the same records, under the configured noise of a round.
 */
final class StepForecast {
  private static final long PLANNED_SLOTS = 1L << 20;
  private static final long SMALLEST = 8;
  private static final long LARGEST = 1 << 14;

  private StepForecast() {}

  /** The section; empty where steps do not follow from the noise. */
  static String of(Plan plan) {
    if (!(plan.optimizer() instanceof PrivateFtrl ftrl)
        || !(ftrl.steps() instanceof StepSize.NoiseAware steps)) {
      return "";
    }
    TextTable table = new TextTable("round", "rounds", "draws per slot", "step per record");
    double best = step(plan, steps, SMALLEST);
    for (long batch = SMALLEST; batch <= Math.max(LARGEST, plan.batch()); batch *= 2) {
      double step = step(plan, steps, batch);
      String mark = batch == plan.batch() ? " *" : "";
      table.line(
          List.of(
              batch + mark,
              FigureWording.count(PLANNED_SLOTS / batch),
              number((double) plan.dimension() / batch),
              number(step)),
          isCurvature(plan, steps, batch)
              ? "held by the curvature, " + number(best / step) + " times smaller than at best"
              : "as large as the noise allows");
    }
    return lines("Rounds of other sizes (* the configured one), after 2^20 records")
        + table.text()
        + lines(
            "A round's noise does not grow with its slots, so small rounds cost no privacy worth",
            "mentioning and allow larger steps, up to what the noise bears; each draws noise for",
            "every weight once more. batch.size auto takes the largest at which noise decides.");
  }

  private static double step(Plan plan, StepSize.NoiseAware steps, long batch) {
    StepSize other = new StepSize.NoiseAware(
        steps.mechanism(), plan.sigma(), batch, steps.scale(), steps.shrinks(), false);
    return other.eta(PLANNED_SLOTS / batch + 1) / batch;
  }

  private static boolean isCurvature(Plan plan, StepSize.NoiseAware steps, long batch) {
    StepScale scale = steps.scale();
    double deviation =
        plan.sigma() * Math.sqrt(steps.mechanism().largestPrefixVariance(PLANNED_SLOTS / batch));
    return step(plan, steps, batch) < scale.noise() / deviation * (1 - 1e-9);
  }
}
