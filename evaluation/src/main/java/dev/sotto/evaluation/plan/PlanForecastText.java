package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.plan.FigureWording.label;
import static dev.sotto.evaluation.plan.FigureWording.lines;
import static dev.sotto.evaluation.plan.FigureWording.number;
import static dev.sotto.evaluation.plan.FigureWording.rounds;

import dev.sotto.evaluation.plan.PlanForecast.Contribution;
import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.LargerBatch;
import dev.sotto.evaluation.plan.PlanForecast.Noise;
import dev.sotto.evaluation.plan.PlanForecast.Returner;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.evaluation.text.GuaranteeFigures;
import dev.sotto.evaluation.text.TextTable;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An forecast for people. Costs, noise and errors are rounded up. */
public final class PlanForecastText {
  private final PlanForecast forecast;
  private final Plan plan;
  private final long horizon;

  private PlanForecastText(PlanForecast forecast) {
    this.forecast = forecast;
    this.plan = forecast.scenario().plan();
    this.horizon = forecast.scenario().horizon();
  }

  /** All tables, each with a line on how to read it. */
  public static String of(PlanForecast forecast) {
    PlanForecastText text = new PlanForecastText(forecast);
    Stream<String> sections = Stream.of(
        text.head(),
        text.costs(),
        text.sameBudget(),
        text.madeForThis(),
        text.contributions(),
        text.batches(),
        StepForecast.of(text.plan),
        text.returners());
    return String.join(
        System.lineSeparator(), sections.filter(section -> !section.isEmpty()).toList());
  }

  private String head() {
    return lines(
        plan.lossName() + ", " + plan.algorithm() + ", " + plan.dimension()
            + " weights, batches of " + plan.batch() + ", clip " + number(plan.clip()),
        plan.mechanism().name() + ", sigma " + number(plan.sigma())
            + " per coordinate of a round's sum, made for " + rounds(horizon) + "; epsilon "
            + number(plan.budget().epsilon()) + " at delta "
            + number(plan.budget().delta()),
        "hidden: " + plan.unit().sentence() + ", where " + plan.adjacency().sentence(),
        "each unit contributes: " + FigureWording.participation(plan.participation())
            + "; generations: " + plan.generations().describe() + candidates(plan),
        "All of this follows from the configuration: no data were read, and nothing was spent.");
  }

  private static String candidates(Plan plan) {
    int all = plan.candidates().number();
    return all == 1
        ? ""
        : "\n" + all + " candidates learn from the same records: mu and epsilon are those of all"
            + " of them together, and each has "
            + number(plan.candidates().factor())
            + " times the noise that it would need alone";
  }

  private String costs() {
    TextTable table =
        new TextTable("mechanism", "rounds", "mu", "epsilon", "of the sum", "of the mean");
    for (Group group : forecast.groups()) {
      List<Row> rows = group.rows().value().orElse(List.of());
      String label = label(group.candidate());
      for (Row row : rows) {
        Noise noise = row.configured();
        table.line(
            List.of(
                label,
                FigureWording.count(row.rounds()),
                number(noise.cost().mu()),
                number(noise.cost().epsilon()),
                number(noise.error().std()),
                number(noise.error().std() / plan.batch())),
            beyond(noise.cost()));
        label = "";
      }
      if (rows.isEmpty()) {
        table.line(List.of(label), group.rows().reason());
      }
    }
    return lines("The configured noise under every mechanism (* the configured one)")
        + table.text()
        + lines(
            "mu and epsilon: the cost of everything published up to that round. Of the sum, of the mean:",
            "the standard deviation of the noise, per coordinate, in the sum of all gradients so far,",
            "and in the sum of all batch means.")
        + (plan.generations().equals(GenerationSchedule.NONE)
            ? ""
            : lines("Each generation has sums of its own."))
        + pure();
  }

  private String pure() {
    return forecast.groups().stream()
        .filter(group -> group.candidate().mechanism().isPure())
        .map(group -> lines(
            group.candidate().name()
                + ": a pure epsilon, at delta 0. Its sigma is a scale, and its clip an l1 bound, which",
            "clips gradients of many coordinates far more than the same number in l2: its errors",
            "cannot be compared with those of the others."))
        .collect(Collectors.joining());
  }

  private String sameBudget() {
    String what = forecast.scenario().isBudgeted()
        ? "a unit is admitted to " + rounds(forecast.scenario().inARow())
            + FigureWording.spacing(plan.participation())
        : rounds(horizon)
            + (horizon == PlanForecast.LIMIT ? " fits the budget" : " fit the budget");
    return lines("The same cost: the smallest noise with which " + what
            + ", and its worst error of the mean so far")
        + new NoiseGrid(forecast, Row::sameBudget, true).text()
        + lines("The fair comparison of mechanisms; the best of each column is in brackets.");
  }

  private String madeForThis() {
    if (forecast.scenario().isBudgeted()) {
      return ""; // their noise is not made for a number of rounds
    }
    return lines("The same cost at another horizon: noise made for this number of rounds,"
            + " and its worst error of the mean")
        + new NoiseGrid(forecast, Row::madeForThis, false).text()
        + lines(
            "The number of rounds decides which mechanism is best. Endless: noise made for an endless",
            "stream, and its worst error up to the last number of rounds before it.");
  }

  private String contributions() {
    TextTable table = null;
    for (Group group : served()) {
      List<Contribution> bounds = at(group, horizon).map(Row::contributions).orElse(List.of());
      if (table == null && !bounds.isEmpty()) {
        table = new TextTable(heading(bounds));
      }
    }
    if (table == null) {
      return "";
    }
    for (Group group : served()) {
      List<String> line = new ArrayList<>(List.of(label(group.candidate())));
      at(group, horizon)
          .ifPresent(row -> row.contributions()
              .forEach(each -> line.add(each.cost().text(cost -> cost(cost, each), "-"))));
      table.line(line, reason(group));
    }
    String when = horizon == PlanForecast.LIMIT ? "at the limit" : "after " + rounds(horizon);
    return lines("More contributions of one unit: mu " + when
            + ", and how much more noise would keep the cost of one")
        + table.text()
        + lines(
            "This number of records of one unit, in rounds at least this far apart. Independent noise",
            "charges the root of their number. A mechanism with long memory charges a unit that",
            "returns for its earlier records once more.");
  }

  private static List<String> heading(List<Contribution> bounds) {
    List<String> heading = new ArrayList<>(List.of("mechanism"));
    for (Contribution each : bounds) {
      heading.add(
          each.bound().most() == 1
              ? "1"
              : each.bound().most() + ", " + each.bound().separation() + " apart");
    }
    return heading;
  }

  private static String cost(PrivacyCost cost, Contribution contribution) {
    boolean more = contribution.bound().most() > 1 && Double.isFinite(contribution.factor());
    return number(cost.mu()) + (more ? " x" + GuaranteeFigures.up(contribution.factor(), 2) : "");
  }

  /** Why some figure of a mechanism is missing; empty where none is. */
  private String reason(Group group) {
    return at(group, horizon)
        .flatMap(row -> row.contributions().stream()
            .map(each -> each.cost().reason())
            .filter(reason -> !reason.isEmpty())
            .findFirst())
        .orElse("");
  }

  private String batches() {
    long after = forecast.rounds().stream()
        .filter(each -> each != PlanForecast.LIMIT && each <= horizon)
        .reduce((before, each) -> each)
        .orElse(PlanForecast.LIMIT);
    TextTable table =
        new TextTable("mechanism", "batch", "rounds", "mu", "epsilon", "of the mean", "per record");
    for (Group group : served()) {
      at(group, after).ifPresent(row -> {
        Noise now = row.configured();
        batch(
            table,
            label(group.candidate()),
            new LargerBatch(1, plan.batch(), after, now.cost(), now.error()));
        row.batches().forEach(each -> batch(table, "", each));
      });
    }
    return lines("Larger batches: as many records in fewer rounds, under the configured noise")
        + table.text()
        + lines(
            "Per record: the error of the average gradient so far. The noise of a round does not grow",
            "with its batch, so a larger batch has the smaller error. The price is fewer and later",
            "rounds. Versions are published every " + VersionKeys.SLOTS
                + " slots, in whole rounds.");
  }

  private static void batch(TextTable table, String label, LargerBatch each) {
    double mean = each.error().std() / each.batch();
    table.line(
        List.of(
            label,
            Long.toString(each.batch()),
            FigureWording.count(each.rounds()),
            number(each.cost().mu()),
            number(each.cost().epsilon()),
            number(mean),
            number(mean / each.rounds())),
        beyond(each.cost()));
  }

  private String returners() {
    if (served().stream().allMatch(group -> group.returners().isEmpty())) {
      return "";
    }
    TextTable table = new TextTable("mechanism", "every", "records", "admitted");
    for (Group group : served()) {
      String label = label(group.candidate());
      for (FigureOrReason<Returner> each : group.returners()) {
        List<String> line = new ArrayList<>(List.of(label));
        each.value()
            .ifPresent(returner -> line.addAll(List.of(
                rounds(returner.every()),
                Long.toString(returner.attempts()),
                Long.toString(returner.admitted()))));
        table.line(line, each.reason());
        label = "";
      }
    }
    return lines(
            "Returning units: how many of their records are admitted under the configured noise")
        + table.text()
        + lines("Nothing is learned from records that are not admitted.");
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
