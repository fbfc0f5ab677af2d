package dev.sotto.evaluation.plan;

import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.evaluation.plan.QueryForecast.After;
import dev.sotto.evaluation.plan.QueryForecast.Memory;
import dev.sotto.evaluation.plan.QueryForecast.Pool;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.evaluation.plan.QueryForecast.UnitCost;
import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.Locale;

/**
 * A {@link QueryForecast} for people and for programs: docs/plan.md lists the fields. Costs, noise
 * and errors are rounded up for people.
 */
public final class QueryDescription {
  private static final String UNSAMPLED = "without counting on sampling";

  private final QueryForecast forecast;
  private final Plan plan;
  private final Reading reading;
  private final Pool pool;
  private final String round;

  private QueryDescription(QueryForecast forecast) {
    this.forecast = forecast;
    this.plan = forecast.scenario().plan();
    this.reading = forecast.reading();
    this.pool = forecast.work().pool();
    this.round = plan.round();
  }

  /** All of it, one object for programs. */
  public static Section of(QueryForecast forecast) {
    QueryDescription description = new QueryDescription(forecast);
    return Section.untitled()
        .append(description.head())
        .add(new QueryTables(forecast).section())
        .add(description.costs())
        .add(description.needs())
        .add(description.advice());
  }

  private Section head() {
    long chosen = forecast.given().blockSlots();
    return Section.untitled()
        .fact("kind", "queries")
        .fact("algorithm", plan.algorithm())
        .fact("loss", plan.lossName())
        .fact("weights", plan.dimension())
        .fact("mechanism", plan.mechanism().name())
        .fact("clip", plan.clip())
        .fact("sigma", plan.sigma())
        .lines(plan.lossName() + ", " + plan.algorithm() + ", " + plan.dimension()
            + " weights, clip " + number(plan.clip()))
        .fact("chosenSlots", chosen == 0 ? null : chosen)
        .fact("blocks", forecast.hasBlocks(), slots())
        .lines(
            plan.mechanism().name() + ", which comes with the algorithm; epsilon "
                + number(plan.budget().epsilon()) + " at delta "
                + number(plan.budget().delta()),
            "hidden: " + plan.unit().sentence() + ": " + plan.adjacency().sentence(),
            "All of this follows from the configuration: no data were read, and nothing was"
                + " spent.");
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
    long answered = pool == null ? reading.queries() : pool.rounds();
    return "blocks of " + reading.slots() + " slots" + follows + ", " + answered
        + (answered == 1 ? " query each" : " queries each")
        + (pool == null ? "" : " at " + pool.points() + " points")
        + (answered == reading.queries() ? ", " : ", after one that only reads; ")
        + "a version each";
  }

  private Section costs() {
    boolean constant =
        forecast.rounds().stream().map(each -> each.cost().mu()).distinct().count() == 1;
    Table table = new Table(
        "costs",
        constant
            ? List.of()
            : List.of(
                Column.rounds("rounds", round + "s"),
                Column.number("mu", "mu"),
                Column.number("epsilon", "epsilon")));
    for (After each : forecast.rounds()) {
      table.row(
          PlanFacts.after(each.rounds()).append(PlanFacts.cost(each.cost())),
          each.cost().allowed() ? "" : "beyond the budget: never happens");
    }
    Section section = Section.titled("What it costs").add(table);
    if (constant) {
      section.lines("one " + round + " and for ever: " + ofOne());
    }
    if (forecast.isSampled()) {
      section.lines("Epsilon counts on secret sampling, by the distribution of the privacy loss; mu"
          + " does not.");
    }
    return section.object("unit", unit());
  }

  private String ofOne() {
    PrivacyCost one = forecast.rounds().get(0).cost();
    return forecast.isSampled()
        ? "epsilon " + number(one.epsilon()) + " (mu " + number(one.mu()) + ", " + UNSAMPLED + ")"
        : "mu " + number(one.mu()) + ", epsilon " + number(one.epsilon());
  }

  private Section unit() {
    UnitCost unit = forecast.unit();
    return Section.untitled()
        .fact(
            "rule",
            unit.rule(),
            "each unit contributes: " + unit.rule()
                + (plan.participation().remembersUnits() ? ", at most one slot of a " + round : ""))
        .fact("mu", unit.mu())
        .fact("blocks", unit.blocks())
        .fact(
            "most",
            unit.most(),
            "a slot costs " + (forecast.isSampled() ? ofOne() : "mu " + number(unit.mu()))
                + (reading.again() ? ", all passes together" : "")
                + several(unit));
  }

  private String several(UnitCost unit) {
    return unit.blocks() == 1
        ? ""
        : ", in " + unit.blocks() + " " + round + "s"
            + (Double.isFinite(unit.most()) ? " mu " + number(unit.most()) : "")
            + (forecast.isSampled() ? " " + UNSAMPLED : "");
  }

  private Section needs() {
    double ofOne = pool == null ? reading.gradients() / reading.slots() : pool.touches();
    Section section = Section.titled("What it takes")
        .object(
            "reading",
            Section.untitled()
                .fact("slots", reading.slots())
                .fact("queries", reading.queries())
                .fact(
                    "passes",
                    reading.passes(),
                    "passes over the log: " + RetentionRule.passes(reading)
                        + (reading.again()
                            ? " in the mean, " + reading.mostReads() + " at most"
                            : ""))
                .fact("mostReads", reading.mostReads())
                .fact(
                    "gradients",
                    reading.gradients(),
                    (forecast.isSampled() ? "expected gradients of a " : "gradients of a ") + round
                        + ": " + String.format(Locale.ROOT, "%.0f", reading.gradients()) + ", "
                        + RetentionRule.decimal(ofOne) + " an example")
                .fact("again", reading.again()))
        .object("memory", memory());
    if (pool != null) {
      section.object("pool", pool());
    }
    String retention = RetentionRule.of(reading);
    return section.fact("retention", retention).sentence("retention: " + retention);
  }

  private Section memory() {
    Memory memory = forecast.memory();
    return Section.untitled()
        .fact(
            "iterates",
            memory.iterates(),
            "memory of a model: "
                + bytes(memory.iterates() + memory.sums() + memory.refused()) + " (iterates "
                + bytes(memory.iterates()) + ", sums " + bytes(memory.sums())
                + (memory.refused() == 0 ? "" : ", a bit for each slot " + bytes(memory.refused()))
                + ")")
        .fact("sums", memory.sums())
        .fact("refused", memory.refused())
        .fact(
            "events",
            memory.events(),
            memory.events() == 0
                ? ""
                : "memory of a partition: the latest events, up to " + bytes(memory.events())
                    + "; earlier ones are read from the log");
  }

  private Section pool() {
    return Section.untitled()
        .fact("rounds", pool.rounds())
        .fact("points", pool.points())
        .fact("rate", pool.rate())
        .fact("touches", pool.touches())
        .fact("down", pool.down())
        .fact(
            "up",
            pool.up(),
            "messages of a query in layout rounds: " + bytes(pool.down()) + " to each worker ("
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

  private Section advice() {
    boolean none = forecast.advice().isEmpty();
    Section section = none ? Section.untitled() : Section.titled("Consider");
    section.fact("advice", forecast.advice());
    forecast.advice().forEach(section::sentence);
    return section;
  }
}
