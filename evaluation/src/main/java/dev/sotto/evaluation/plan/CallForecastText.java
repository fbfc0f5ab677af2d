package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.plan.FigureWording.lines;
import static dev.sotto.evaluation.plan.FigureWording.number;

import dev.sotto.evaluation.text.TextTable;
import dev.sotto.learner.accounting.ApproximateGaussianDp;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.optimizer.resque.calls.CallRegime;
import dev.sotto.learner.training.Plan;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The calls of a block of {@code resque.form: ordered-calls}, for people. */
final class CallForecastText {
  /** What the accuracy of theory is told for: a tenth of what zero weights may lose. */
  private static final double KAPPA = 10;

  private final Plan plan;
  private final CallNoise noise;

  private CallForecastText(Plan plan) {
    this.plan = plan;
    this.noise = plan.paths()
        .flatMap(each -> each.match(paths -> Optional.<CallNoise>empty(), Optional::of))
        .orElseThrow();
  }

  static String of(QueryForecast forecast) {
    CallForecastText text = new CallForecastText(forecast.scenario().plan());
    return lines("The calls of a block, and their noise")
        + text.table()
        + text.explained()
        + text.failures()
        + text.theory();
  }

  private String table() {
    TextTable table = new TextTable(
        "calls", "slots of one", "phases", "longest step", "noise of an average", "of all weights");
    List<List<Phase>> rows = noise.rows();
    for (int row = 0; row < rows.size(); row++) {
      List<Phase> phases = rows.get(row);
      double step = phases.stream().mapToDouble(Phase::step).max().orElseThrow();
      double std = plan.sigma() * noise(row);
      table.line(
          List.of(
              Integer.toString(Collections.frequency(noise.order(), row)),
              Long.toString(phases.stream().mapToLong(Phase::slots).sum()),
              Integer.toString(phases.size()),
              number(step),
              number(std),
              number(std * Math.sqrt(plan.dimension()))),
          "");
    }
    return table.text();
  }

  /** The largest noise of the phases of a row, for each unit of sigma. */
  private double noise(int row) {
    long query = 1;
    double most = 0;
    for (int each : noise.order()) {
      for (int i = 0; i < noise.rows().get(each).size(); i++, query++) {
        most = each == row ? Math.max(most, noise.noise(query)) : most;
      }
      if (each == row) {
        return most;
      }
    }
    return most;
  }

  private String explained() {
    double radius = noise.reach() * plan.clip();
    return lines(QueryForecastText.wrapped(noise.order().size() + " oracle calls, one after the"
        + " other, each over slots of its own: one pass, and every record takes one step. A phase"
        + " moves a point within " + number(radius) + " (r) of a centre, along gradients that were"
        + " taken at points " + number(radius * noise.shape().ratio()) + " (rho) around it and are"
        + " weighted; its average is released with noise. Noise of an average: the largest of the"
        + " phases, per weight. Replaced contents of a record move an average by at most c = "
        + number(noise.worstConstant()) + " times its step and the clip."));
  }

  private String failures() {
    double epsilon = plan.guarantee(1).epsilon();
    double charged = ApproximateGaussianDp.delta(epsilon, noise.failure());
    return lines(QueryForecastText.wrapped("That bound fails with probability delta' = "
        + number(noise.failure()) + " at most for one participation; of delta "
        + number(plan.budget().delta()) + " it takes (1 + e^epsilon) delta' = " + number(charged)
        + " for each, and every epsilon here is at what is left. This guarantee rests on more than"
        + " clipping and noise: on slopes of the loss that never fall, and on perturbations that"
        + " nobody who writes records can know (docs/resque.md)."));
  }

  private String theory() {
    double beta = 2 / (plan.sigma() / plan.clip() * noise.worstConstant());
    double slots = CallRegime.provedSlots(KAPPA, plan.dimension(), noise.shape().ratio(), beta);
    return lines(QueryForecastText.wrapped("Theory promises an excess loss of a tenth of clip times"
        + " radius from blocks of about " + number(Math.ceil(slots))
        + " slots on; below that, accuracy is measured and not proved, and one pass"
        + " (resque.form one-pass) was better wherever both were measured."));
  }
}
