package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.plan.FigureWording.lines;
import static dev.sotto.evaluation.plan.FigureWording.number;

import dev.sotto.evaluation.plan.QueryForecast.After;
import dev.sotto.evaluation.plan.QueryForecast.Memory;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Range;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.evaluation.plan.QueryForecast.UnitCost;
import dev.sotto.evaluation.text.TextTable;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link QueryForecast} for people. Costs, noise and errors are rounded up. */
public final class QueryForecastText {
  private static final int SHOWN_PARTS = 24;
  private static final int WIDTH = 96;

  private final QueryForecast forecast;
  private final Plan plan;
  private final Reading reading;
  private final String round;

  private QueryForecastText(QueryForecast forecast) {
    this.forecast = forecast;
    this.plan = forecast.scenario().plan();
    this.reading = forecast.reading();
    this.round = forecast.hasBlocks() ? "block" : "round";
  }

  /** All sections. */
  public static String of(QueryForecast forecast) {
    QueryForecastText text = new QueryForecastText(forecast);
    return Stream.of(text.head(), text.queries(), text.costs(), text.needs(), text.advice())
        .filter(section -> !section.isEmpty())
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private String head() {
    return lines(
        plan.lossName() + ", " + plan.algorithm() + ", " + plan.dimension() + " weights, clip "
            + number(plan.clip()),
        slots(),
        plan.mechanism().name() + ", which comes with the algorithm; epsilon "
            + number(plan.budget().epsilon()) + " at delta "
            + number(plan.budget().delta()),
        "hidden: " + plan.unit().sentence() + ", where " + plan.adjacency().sentence(),
        "All of this follows from the configuration: no data were read, and nothing was spent.");
  }

  private String slots() {
    if (!forecast.hasBlocks()) {
      return "rounds of " + reading.slots() + " slots, one query each, without an end";
    }
    long chosen = forecast.given().blockSlots();
    long unused = chosen - reading.slots();
    String follows = chosen == 0
        ? " (block.slots auto)"
        : unused == 0
            ? " (block.slots)"
            : " (block.slots " + chosen + ", less " + unused + " that fill no whole batch)";
    return "blocks of " + reading.slots() + " slots" + follows + ", " + reading.queries()
        + (reading.queries() == 1 ? " query" : " queries") + " each, a version each";
  }

  private String queries() {
    TextTable table = new TextTable(
        forecast.hasBlocks() ? "slots" : "a round's slots",
        "batches",
        "passes",
        "queries",
        "gradients",
        "clip",
        "of the sum",
        "of the mean",
        "one / clip",
        "all / clip");
    List<Part> parts = forecast.parts();
    for (Part each : parts.subList(0, Math.min(SHOWN_PARTS, parts.size()))) {
      Range range = each.range();
      table.line(
          List.of(
              range.first() + " to " + (range.first() + range.slots() - 1),
              Long.toString(range.batches()),
              Long.toString(range.passes()),
              Long.toString(each.queries()),
              Integer.toString(each.gradients()),
              number(each.clip()),
              number(each.noise().sumStd()),
              number(each.noise().meanStd()),
              number(each.noise().noiseOfOne()),
              number(each.noise().noiseOfAll())),
          "");
    }
    String more = parts.size() <= SHOWN_PARTS
        ? ""
        : lines("and " + (parts.size() - SHOWN_PARTS) + " more parts, which --json lists");
    return lines("The queries of a " + round + ", and their noise")
        + table.text()
        + more
        + lines(
            "Gradients: of one example in one query. Of the sum, of the mean: the standard deviation of",
            "the noise of a query, per coordinate. One / clip: how long the noise of one mean is, over",
            "all coordinates, relative to the clip. All / clip: the same of the mean of all queries.")
        + counts()
        + (plan.mechanism() instanceof QueryNoise
            ? ""
            : lines(
                "The answers enter a tree: this is the noise of one node of it, and the algorithm adds up",
                "several. Steps of one length follow the direction of the sum alone."));
  }

  private String counts() {
    return plan.countsNorms()
        ? lines(
            "The last part counts norms of gradients, for the clip of the next block; it costs "
                + number(100 * plan.shareOfCounts()) + " %",
            "of the block's squared mu. The clips above are those of the first block.")
        : "";
  }

  private String costs() {
    UnitCost unit = forecast.unit();
    TextTable table = new TextTable(round + "s", "mu", "epsilon");
    for (After each : forecast.rounds()) {
      PrivacyCost cost = each.cost();
      table.line(
          List.of(FigureWording.count(each.rounds()), number(cost.mu()), number(cost.epsilon())),
          cost.allowed() ? "" : "beyond the budget: never happens");
    }
    boolean constant =
        forecast.rounds().stream().map(each -> each.cost().mu()).distinct().count() == 1;
    PrivacyCost one = forecast.rounds().get(0).cost();
    return lines("What it costs")
        + (constant
            ? lines("one " + round + " and for ever: mu " + number(one.mu()) + ", epsilon "
                + number(one.epsilon()))
            : table.text())
        + lines(
            "each unit contributes: " + unit.rule()
                + (plan.participation() instanceof Participation.Once
                    ? ""
                    : ", at most one slot of a " + round),
            "a slot costs mu " + number(unit.mu())
                + (reading.again() ? ", all passes together" : "") + several(unit));
  }

  private String several(UnitCost unit) {
    return unit.blocks() == 1
        ? ""
        : ", in " + unit.blocks() + " " + round + "s"
            + (Double.isFinite(unit.most()) ? " mu " + number(unit.most()) : "");
  }

  private String needs() {
    Memory memory = forecast.memory();
    return lines(
        "What it takes",
        "passes over the log: " + RetentionRule.passes(reading)
            + (reading.again() ? " in the mean, " + reading.mostReads() + " at most" : ""),
        "gradients of a " + round + ": " + String.format(Locale.ROOT, "%.0f", reading.gradients())
            + ", " + RetentionRule.decimal(reading.gradients() / reading.slots()) + " an example",
        "memory of a model: " + bytes(memory.iterates() + memory.sums() + memory.refused())
            + " (iterates " + bytes(memory.iterates()) + ", sums " + bytes(memory.sums())
            + (memory.refused() == 0 ? "" : ", a bit for each slot " + bytes(memory.refused()))
            + ")",
        (memory.events() == 0
                ? ""
                : "memory of a partition: the latest events, up to " + bytes(memory.events())
                    + "; earlier ones are read from the log" + System.lineSeparator())
            + wrapped("retention: " + RetentionRule.of(reading)));
  }

  static String bytes(long bytes) {
    return bytes < 1 << 10
        ? bytes + " B"
        : bytes < 1 << 20
            ? number(Math.ceil(bytes / 102.4) / 10) + " KiB"
            : number(Math.ceil(bytes / 104857.6) / 10) + " MiB";
  }

  private String advice() {
    return forecast.advice().isEmpty()
        ? ""
        : lines("Consider")
            + lines(
                forecast.advice().stream().map(QueryForecastText::wrapped).toArray(String[]::new));
  }

  private static String wrapped(String sentence) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : sentence.split(" ")) {
      if (column > 0 && column + 1 + word.length() > WIDTH) {
        text.append(System.lineSeparator());
        column = 0;
      }
      text.append(column == 0 ? "" : " ").append(word);
      column += word.length() + (column == 0 ? 0 : 1);
    }
    return text.toString();
  }
}
