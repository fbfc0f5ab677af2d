package dev.sotto.evaluation.plan;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.evaluation.plan.QueryForecast.Memory;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.evaluation.plan.QueryForecast.UnitCost;
import dev.sotto.learner.training.Plan;
import java.util.List;

/** A {@link QueryForecast} as one row of JSON: docs/plan.md, "JSON" lists the fields. */
public final class QueryForecastJson {
  private QueryForecastJson() {}

  record Row(
      String kind,
      String algorithm,
      String loss,
      long weights,
      String mechanism,
      double clip,
      double sigma,
      Long chosenSlots,
      boolean blocks,
      Reading reading,
      List<Part> parts,
      List<Cost> costs,
      UnitCost unit,
      Memory memory,
      String retention,
      List<String> advice) {}

  record Cost(Long rounds, boolean limit, @JsonUnwrapped PrivacyCost cost) {}

  /** The only row. */
  public static List<Record> rows(QueryForecast forecast) {
    Plan plan = forecast.scenario().plan();
    long chosen = forecast.given().blockSlots();
    return List.of(new Row(
        "queries",
        plan.algorithm(),
        plan.lossName(),
        plan.dimension(),
        plan.mechanism().name(),
        plan.clip(),
        plan.sigma(),
        chosen == 0 ? null : chosen,
        forecast.hasBlocks(),
        forecast.reading(),
        forecast.parts(),
        forecast.rounds().stream()
            .map(each -> new Cost(
                PlanForecastJson.nullAtLimit(each.rounds()),
                each.rounds() == PlanForecast.LIMIT,
                each.cost()))
            .toList(),
        forecast.unit(),
        forecast.memory(),
        RetentionRule.of(forecast.reading()),
        forecast.advice()));
  }
}
