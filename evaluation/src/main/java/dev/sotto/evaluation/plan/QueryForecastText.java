package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.plan.FigureWording.lines;
import static dev.sotto.evaluation.plan.FigureWording.number;

import dev.sotto.evaluation.audit.noise.MechanismKinds;
import dev.sotto.evaluation.plan.QueryForecast.After;
import dev.sotto.evaluation.plan.QueryForecast.Memory;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Pool;
import dev.sotto.evaluation.plan.QueryForecast.Range;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.evaluation.plan.QueryForecast.UnitCost;
import dev.sotto.evaluation.text.TextTable;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link QueryForecast} for people. Costs, noise and errors are rounded up. */
public final class QueryForecastText {
  private static final int SHOWN_PARTS = 24;
  private static final int WIDTH = 96;
  private static final String UNSAMPLED = "without counting on sampling";
  private static final String SAMPLED =
      "Epsilon counts on secret sampling, by the distribution of the privacy loss; mu does not.";

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
    return "blocks of " + reading.slots() + " slots" + follows + ", " + queriesOfBlock()
        + "a version each";
  }

  private String queriesOfBlock() {
    Pool pool = forecast.work().pool();
    long answered = pool == null ? reading.queries() : pool.rounds();
    String queries = answered + (answered == 1 ? " query each" : " queries each");
    return queries
        + (pool == null ? "" : " at " + pool.points() + " points")
        + (answered == reading.queries() ? ", " : ", behind one that only reads; ");
  }

  /** Of one ordered pass: phases, and the noise of their averages. */
  private String phases() {
    TextTable table = new TextTable("slots", "step", "noise of the average", "of all weights");
    PathNoise noise = MechanismKinds.paths(plan.mechanism()).orElseThrow();
    long query = 1;
    for (Part each : forecast.parts()) {
      double std = plan.sigma() * noise.noise(query);
      table.line(
          List.of(
              each.range().first() + " to "
                  + (each.range().first() + each.range().slots() - 1),
              number(noise.step(query)),
              number(std),
              number(std * Math.sqrt(plan.dimension()))),
          "");
      query++;
    }
    return lines("The phases of a block, and their noise")
        + table.text()
        + lines(
            "In each phase every slot moves the weights by one step, in their order. The average of the",
            "points on the way is released with this noise, per weight and over all weights, and the next",
            "phase begins there. The last one is published. The steps of later phases are shorter, and so",
            "is their noise: that of the first hardly stays.")
        + lines(
            wrapped(
                "This guarantee rests on more than clipping and noise: on slopes of the loss"
                    + " that never fall, and on a smoothness that each step keeps to (docs/resque.md)."));
  }

  private String queries() {
    if (plan.paths().filter(OrderedNoise::isPerturbed).isPresent()) {
      return CallForecastText.of(forecast);
    }
    if (plan.isOrdered()) {
      return phases();
    }
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
      table.line(cells(each), each.answers() ? "" : "only read: no answer");
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
        + (forecast.work().pool() == null ? "" : pool())
        + (MechanismKinds.answers(plan.mechanism()).isPresent()
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

  private static List<String> cells(Part part) {
    Range range = part.range();
    List<String> cells = new ArrayList<>(List.of(
        range.first() + " to " + (range.first() + range.slots() - 1),
        Long.toString(range.batches()),
        Long.toString(range.passes()),
        Long.toString(part.queries())));
    if (part.answers()) {
      cells.addAll(List.of(
          number(part.gradients()),
          number(part.clip()),
          number(part.noise().sumStd()),
          number(part.noise().meanStd()),
          number(part.noise().noiseOfOne()),
          number(part.noise().noiseOfAll())));
    }
    return cells;
  }

  /** What queries at several points are. */
  private String pool() {
    Pool pool = forecast.work().pool();
    String touches = number(pool.touches());
    return lines(wrapped("Each query asks at " + pool.points() + " points, of which each has a sum"
        + " and noise of its own: one / clip is that of one point, all / clip of all points of all"
        + " queries. "
        + (forecast.isSampled()
            ? "A slot enters each sum with probability " + number(pool.rate())
                + ", by secret coins: about " + touches + " of the "
                + pool.rounds() * pool.points() + " sums of a block. A mean is over "
                + number(pool.rate()) + " x " + reading.slots() + " slots, however many were"
                + " chosen. What is read without an answer binds the coins to the content of the"
                + " whole block."
            : "A slot enters all " + touches + " sums of a block.")));
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
    String sampled =
        forecast.isSampled() ? " (mu " + number(one.mu()) + ", " + UNSAMPLED + ")" : "";
    return lines("What it costs")
        + (!constant
            ? table.text()
            : lines("one " + round + " and for ever: "
                + (forecast.isSampled() ? "" : "mu " + number(one.mu()) + ", ") + "epsilon "
                + number(one.epsilon()) + sampled))
        + (forecast.isSampled() ? lines(SAMPLED) : "")
        + lines(
            "each unit contributes: " + unit.rule()
                + (plan.participation() instanceof Participation.Once
                    ? ""
                    : ", at most one slot of a " + round),
            "a slot costs "
                + (forecast.isSampled()
                    ? "epsilon " + number(one.epsilon()) + sampled
                    : "mu " + number(unit.mu()))
                + (reading.again() ? ", all passes together" : "") + several(unit));
  }

  private String several(UnitCost unit) {
    return unit.blocks() == 1
        ? ""
        : ", in " + unit.blocks() + " " + round + "s"
            + (Double.isFinite(unit.most()) ? " mu " + number(unit.most()) : "")
            + (forecast.isSampled() ? " " + UNSAMPLED : "");
  }

  private String needs() {
    Memory memory = forecast.memory();
    return lines(
        "What it takes",
        "passes over the log: " + RetentionRule.passes(reading)
            + (reading.again() ? " in the mean, " + reading.mostReads() + " at most" : ""),
        (forecast.isSampled() ? "expected gradients of a " : "gradients of a ") + round + ": "
            + String.format(Locale.ROOT, "%.0f", reading.gradients()) + ", "
            + RetentionRule.decimal(gradientsOfOne()) + " an example",
        "memory of a model: " + bytes(memory.iterates() + memory.sums() + memory.refused())
            + " (iterates " + bytes(memory.iterates()) + ", sums " + bytes(memory.sums())
            + (memory.refused() == 0 ? "" : ", a bit for each slot " + bytes(memory.refused()))
            + ")",
        messages()
            + (memory.events() == 0
                ? ""
                : "memory of a partition: the latest events, up to " + bytes(memory.events())
                    + "; earlier ones are read from the log" + System.lineSeparator())
            + wrapped("retention: " + RetentionRule.of(reading)));
  }

  private double gradientsOfOne() {
    Pool pool = forecast.work().pool();
    return pool == null ? reading.gradients() / reading.slots() : pool.touches();
  }

  private String messages() {
    Pool pool = forecast.work().pool();
    return pool == null
        ? ""
        : lines("messages of a query in layout rounds: " + bytes(pool.down()) + " to each worker ("
            + plan.dimension() + " numbers), " + bytes(pool.up()) + " from each part ("
            + plan.dimension() + " x " + pool.points() + ")");
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

  static String wrapped(String sentence) {
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
