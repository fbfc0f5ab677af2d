package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.plan.FigureWording.label;
import static dev.sotto.evaluation.plan.FigureWording.rounds;
import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.evaluation.plan.PlanForecast.Contribution;
import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.Returner;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.learner.training.VersionKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A {@link PlanForecast} for people and for programs: docs/plan.md lists the fields. Costs, noise
 * and errors are rounded up for people.
 */
public final class PlanDescription {
  private final PlanForecast forecast;
  private final Plan plan;
  private final long horizon;
  private final PlanRows rows;

  private PlanDescription(PlanForecast forecast) {
    this.forecast = forecast;
    this.plan = forecast.scenario().plan();
    this.horizon = forecast.scenario().horizon();
    this.rows = new PlanRows(plan);
  }

  /** All tables, each with a line on how to read it; for programs a row for each line of costs. */
  public static Section of(PlanForecast forecast) {
    PlanDescription description = new PlanDescription(forecast);
    return Section.untitled()
        .append(description.head())
        .add(description.rows.table(forecast.groups()))
        .add(description.costs())
        .add(description.sameBudget())
        .add(description.madeForThis())
        .add(description.contributions())
        .add(description.batches())
        .add(description.plan.optimizer().describe(description.plan.figures()))
        .add(description.returners());
  }

  private Section head() {
    Section head = Section.untitled()
        .lines(
            plan.lossName() + ", " + plan.algorithm() + ", " + plan.dimension()
                + " weights, batches of " + plan.batch() + ", clip " + number(plan.clip()),
            plan.mechanism().name() + ", sigma " + number(plan.sigma())
                + " per coordinate of a round's sum, made for " + rounds(horizon) + "; epsilon "
                + number(plan.budget().epsilon()) + " at delta "
                + number(plan.budget().delta()),
            "hidden: " + plan.unit().sentence() + ": " + plan.adjacency().sentence(),
            "each unit contributes: " + plan.participation().sentence() + "; generations: "
                + plan.generations().describe());
    head.append(plan.candidates().describe());
    plan.ranges()
        .window()
        .ifPresent(window -> head.lines(measured()
            + " measured in the first "
            + window.allRounds() * plan.batch() + " slots of each model ("
            + rounds(window.allRounds())
            + "), which publishes nothing before; noise of a count " + number(window.sigma())));
    String beyond = PlanAnswer.beyond(plan, horizon);
    if (!beyond.isEmpty()) {
      head.lines(beyond);
    }
    if (plan.ranges().numbers().ofLabel()) {
      head.lines("nothing is learned before; " + RangeSettings.GROWING_LABEL);
    }
    return head.lines(
        "All of this follows from the configuration: no data were read, and nothing was spent.");
  }

  private String measured() {
    UnboundedNumbers numbers = plan.ranges().numbers();
    String all = "the ranges of " + numbers.count() + " numbers without bounds";
    return numbers.ofLabel()
        ? (numbers.count() == 0 ? "the range of the label is" : all + " and of the label are")
        : all + " are";
  }

  private Section costs() {
    Table table = Table.forPeople(
        Column.text("label", "mechanism"),
        Column.rounds("rounds", "rounds"),
        Column.number("mu", "mu"),
        Column.number("epsilon", "epsilon"),
        Column.number("prefixErrorStd", "of the sum"),
        Column.number("prefixErrorStdOfMean", "of the mean"));
    for (Group group : forecast.groups()) {
      String label = label(group.option());
      for (Row row : group.rows().value().orElse(List.of())) {
        table.row(
            labelled(label)
                .append(PlanFacts.after(row.rounds()))
                .append(PlanFacts.noise(row.configured(), plan.batch())),
            beyond(row.configured().cost()));
        label = "";
      }
      if (group.rows().value().isEmpty()) {
        table.row(labelled(label), group.rows().reason());
      }
    }
    Section section = Section.titled(
            "The configured noise under every mechanism (* the configured one)")
        .add(table)
        .lines(
            "mu and epsilon: the cost of everything published up to that round. Of the sum, of the"
                + " mean:",
            "the standard deviation of the noise, per coordinate, in the sum of all gradients so"
                + " far,",
            "and in the sum of all batch means.");
    if (!plan.generations().equals(GenerationSchedule.NONE)) {
      section.lines("Each generation has sums of its own.");
    }
    for (Group group : forecast.groups()) {
      List<String> remarks = group.option().mechanism().remarks();
      for (int i = 0; i < remarks.size(); i++) {
        section.lines((i == 0 ? group.option().name() + ": " : "") + remarks.get(i));
      }
    }
    return section;
  }

  private static Section labelled(String label) {
    return Section.untitled().fact("label", label);
  }

  private Section sameBudget() {
    String what = forecast.scenario().isBudgeted()
        ? "a unit is admitted to " + rounds(forecast.scenario().inARow())
            + plan.participation().spacing()
        : rounds(horizon)
            + (horizon == PlanForecast.LIMIT ? " fits the budget" : " fit the budget");
    return Section.titled("The same cost: the smallest noise with which " + what
            + ", and its worst error of the mean so far")
        .add(new NoiseGrid(forecast, Row::sameBudget, true).table())
        .lines("The fair comparison of mechanisms; the best of each column is in brackets.");
  }

  private Section madeForThis() {
    if (forecast.scenario().isBudgeted()) {
      return Section.untitled(); // their noise is not made for a number of rounds
    }
    return Section.titled("The same cost at another horizon: noise made for this number of rounds,"
            + " and its worst error of the mean")
        .add(new NoiseGrid(forecast, Row::madeForThis, false).table())
        .lines(
            "The number of rounds decides which mechanism is best. Endless: noise made for an"
                + " endless",
            "stream, and its worst error up to the last number of rounds before it.");
  }

  private Section contributions() {
    List<Contribution> bounds = served().stream()
        .flatMap(group -> at(group, horizon).stream())
        .map(Row::contributions)
        .filter(each -> !each.isEmpty())
        .findFirst()
        .orElse(List.of());
    if (bounds.isEmpty()) {
      return Section.untitled();
    }
    List<Column> columns = new ArrayList<>(List.of(Column.text("label", "mechanism")));
    for (Contribution each : bounds) {
      columns.add(Column.text(id(each), id(each)));
    }
    Table table = Table.forPeople(columns.toArray(Column[]::new));
    for (Group group : served()) {
      Section line = labelled(label(group.option()));
      List<Contribution> all = at(group, horizon).map(Row::contributions).orElse(List.of());
      all.forEach(each -> line.fact(id(each), each.cost().text(cost -> cost(cost, each), "-")));
      table.row(line, reason(all));
    }
    String when = horizon == PlanForecast.LIMIT ? "at the limit" : "after " + rounds(horizon);
    return Section.titled("More contributions of one unit: mu " + when
            + ", and how much more noise would keep the cost of one")
        .add(table)
        .lines(
            "This number of records of one unit, in rounds at least this far apart. Independent"
                + " noise",
            "charges the root of their number. A mechanism with long memory charges a unit that",
            "returns for its earlier records once more.");
  }

  private static String id(Contribution each) {
    return each.bound().most() == 1
        ? "1"
        : each.bound().most() + ", " + each.bound().separation() + " apart";
  }

  private static String cost(PrivacyCost cost, Contribution contribution) {
    boolean more = contribution.bound().most() > 1 && Double.isFinite(contribution.factor());
    return number(cost.mu()) + (more ? " x" + GuaranteeFigures.up(contribution.factor(), 2) : "");
  }

  /** Why some figure of a mechanism is missing; empty where none is. */
  private static String reason(List<Contribution> all) {
    return all.stream()
        .map(each -> each.cost().reason())
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .orElse("");
  }

  private Section batches() {
    long after = forecast.rounds().stream()
        .filter(each -> each != PlanForecast.LIMIT && each <= horizon)
        .reduce((before, each) -> each)
        .orElse(PlanForecast.LIMIT);
    Table table = Table.forPeople(
        Column.text("label", "mechanism"),
        Column.text("batch", "batch"),
        Column.rounds("rounds", "rounds"),
        Column.number("mu", "mu"),
        Column.number("epsilon", "epsilon"),
        Column.number("prefixErrorStdOfMean", "of the mean"),
        Column.number("perRecord", "per record"));
    for (Group group : served()) {
      at(group, after).ifPresent(row -> {
        batch(table, label(group.option()), rows.asConfigured(row));
        row.batches().forEach(each -> batch(table, "", each));
      });
    }
    return Section.titled(
            "Larger batches: as many records in fewer rounds, under the configured noise")
        .add(table)
        .lines(
            "Per record: the error of the average gradient so far. The noise of a round does not"
                + " grow",
            "with its batch, so a larger batch has the smaller error. The price is fewer and later",
            "rounds. Versions are published every " + VersionKeys.SLOTS
                + " slots, in whole rounds.");
  }

  private static void batch(Table table, String label, PlanForecast.LargerBatch each) {
    double perRecord = each.error().std() / each.batch() / each.rounds();
    table.row(
        labelled(label).append(PlanRows.larger(each)).fact("perRecord", perRecord),
        beyond(each.cost()));
  }

  private Section returners() {
    if (served().stream().allMatch(group -> group.returners().isEmpty())) {
      return Section.untitled();
    }
    Table table = Table.forPeople(
        Column.text("label", "mechanism"),
        Column.text("shown", "every"),
        Column.text("attempts", "records"),
        Column.text("admitted", "admitted"));
    for (Group group : served()) {
      String label = label(group.option());
      for (FigureOrReason<Returner> each : group.returners()) {
        Section line = labelled(label);
        each.value()
            .ifPresent(returner ->
                line.fact("shown", rounds(returner.every())).append(PlanRows.returner(returner)));
        table.row(line, each.reason());
        label = "";
      }
    }
    return Section.titled(
            "Returning units: how many of their records are admitted under the configured noise")
        .add(table)
        .lines("Nothing is learned from records that are not admitted.");
  }

  private List<Group> served() {
    return forecast.groups().stream()
        .filter(group -> group.rows().value().isPresent())
        .toList();
  }

  private static Optional<Row> at(Group group, long after) {
    return group.rows().value().stream()
        .flatMap(List::stream)
        .filter(row -> row.rounds() == after)
        .findFirst();
  }

  private static String beyond(PrivacyCost cost) {
    return cost.allowed() ? "" : "beyond the budget";
  }
}
