package dev.sotto.evaluation.plan;

import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Range;
import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.training.Plan;
import java.util.List;

/** The queries of a block or a round, and what their noise means. */
final class QueryTables {
  private static final int SHOWN_PARTS = 24;

  private final QueryForecast forecast;
  private final Plan plan;

  QueryTables(QueryForecast forecast) {
    this.forecast = forecast;
    this.plan = forecast.scenario().plan();
  }

  /** For programs the parts of a block; for people what suits their mechanism. */
  Section section() {
    QueryMechanism mechanism = plan.mechanism().ofQueries().orElseThrow();
    Section own = mechanism.describe(plan.figures());
    Section section =
        mechanism.describesQueries() ? own.add(parts(List.of())) : queries().append(own);
    return section.append(plan.optimizer().describe(plan.figures()));
  }

  private Table parts(List<Column> columns) {
    Table table = new Table("parts", columns);
    for (Part each : forecast.parts()) {
      Range range = each.range();
      Section facts = Section.untitled()
          .fact("first", range.first())
          .fact("slots", range.slots())
          .fact("batches", range.batches())
          .fact("passes", range.passes())
          .fact("queries", each.queries())
          .fact("gradients", each.gradients())
          .fact("clip", each.clip());
      if (each.answers()) {
        facts
            .fact("sumStd", each.noise().sumStd())
            .fact("meanStd", each.noise().meanStd())
            .fact("noiseOfOne", each.noise().noiseOfOne())
            .fact("noiseOfAll", each.noise().noiseOfAll());
      }
      table.row(facts, each.answers() ? "" : "only read: no answer");
    }
    return table;
  }

  private Section queries() {
    List<Part> parts = forecast.parts();
    Section section = Section.titled("The queries of a " + plan.round() + ", and their noise")
        .add(parts(List.of(
                Column.text("first", forecast.hasBlocks() ? "from slot" : "from a round's slot"),
                Column.text("slots", "slots"),
                Column.text("batches", "batches"),
                Column.text("passes", "passes"),
                Column.text("queries", "queries"),
                Column.number("gradients", "gradients"),
                Column.number("clip", "clip"),
                Column.number("sumStd", "of the sum"),
                Column.number("meanStd", "of the mean"),
                Column.number("noiseOfOne", "one / clip"),
                Column.number("noiseOfAll", "all / clip")))
            .shownTo(SHOWN_PARTS));
    if (parts.size() > SHOWN_PARTS) {
      section.lines("and " + (parts.size() - SHOWN_PARTS) + " more parts, which --json lists");
    }
    section.sentence("Gradients: of one example in one query. Of the sum, of the mean: the standard"
        + " deviation of the noise of a query, per coordinate. One / clip: how long the noise of"
        + " one mean is, over all coordinates, relative to the clip. All / clip: the same of the"
        + " mean of all queries.");
    return section;
  }
}
