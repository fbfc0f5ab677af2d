package dev.sotto.learner.mechanism;

import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import java.util.Collections;
import java.util.List;

/** The calls of a block of {@code resque.form: ordered-calls}, for people. */
final class CallTable {
  private final PlanFigures plan;
  private final CallNoise noise;

  private CallTable(CallNoise noise, PlanFigures plan) {
    this.noise = noise;
    this.plan = plan;
  }

  static Section of(CallNoise noise, PlanFigures plan) {
    CallTable calls = new CallTable(noise, plan);
    return Section.titled("The calls of a block, and their noise")
        .add(calls.table())
        .sentence(calls.explained())
        .sentence(calls.failures());
  }

  private Table table() {
    Table table = Table.forPeople(
        Column.text("calls", "calls"),
        Column.text("slots", "slots of one"),
        Column.text("phases", "phases"),
        Column.number("step", "longest step"),
        Column.number("std", "noise of an average"),
        Column.number("ofAll", "of all weights"));
    List<List<Phase>> rows = noise.rows();
    for (int row = 0; row < rows.size(); row++) {
      List<Phase> phases = rows.get(row);
      double step = phases.stream().mapToDouble(Phase::step).max().orElseThrow();
      double std = plan.sigma() * noise(row);
      table.row(Section.untitled()
          .fact("calls", Collections.frequency(noise.order(), row))
          .fact("slots", phases.stream().mapToLong(Phase::slots).sum())
          .fact("phases", phases.size())
          .fact("step", step)
          .fact("std", std)
          .fact("ofAll", std * Math.sqrt(plan.dimension())));
    }
    return table;
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
    return noise.order().size() + " oracle calls, one after the"
        + " other, each over slots of its own: one pass, and every record takes one step. A phase"
        + " moves a point within " + number(radius) + " (r) of a centre, along gradients that were"
        + " taken at points " + number(radius * noise.shape().ratio()) + " (rho) around it and are"
        + " weighted; its average is released with noise. Noise of an average: the largest of the"
        + " phases, per weight. Replaced contents of a record move an average by at most c = "
        + number(noise.worstConstant()) + " times its step and the clip.";
  }

  private String failures() {
    double charged = plan.charged().applyAsDouble(noise.failure());
    return "That bound fails with probability delta' = "
        + number(noise.failure()) + " at most for one participation; of delta "
        + number(plan.delta()) + " it takes (1 + e^epsilon) delta' = " + number(charged)
        + " for each, and every epsilon here is at what is left. This guarantee rests on more than"
        + " clipping and noise: on slopes of the loss that never fall, and on perturbations that"
        + " nobody who writes records can know (docs/resque.md).";
  }
}
