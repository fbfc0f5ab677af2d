package dev.sotto.evaluation.plan;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.evaluation.plan.QueryForecast.UnitCost;
import dev.sotto.evaluation.plan.QueryForecast.Work;
import dev.sotto.learner.training.Plan;
import java.util.List;

/** A {@link QueryForecast} as one row of JSON: docs/plan.md, "JSON" lists the fields. */
public final class QueryForecastJson {
  private QueryForecastJson() {}

  record Row(
      @JsonUnwrapped Head head,
      @JsonUnwrapped Shape shape,
      @JsonUnwrapped Work work,
      List<Cost> costs,
      UnitCost unit,
      @JsonUnwrapped Sentences sentences) {}

  /** What is learned, and how. */
  record Head(String kind, String algorithm, String loss, long weights, String mechanism) {}

  record Shape(double clip, double sigma, Long chosenSlots, boolean blocks) {}

  record Sentences(String retention, List<String> advice) {}

  record Cost(Long rounds, boolean limit, @JsonUnwrapped PrivacyCost cost) {}

  /** The only row. */
  public static List<Record> rows(QueryForecast forecast) {
    Plan plan = forecast.scenario().plan();
    long chosen = forecast.given().blockSlots();
    return List.of(new Row(
        new Head(
            "queries",
            plan.algorithm(),
            plan.lossName(),
            plan.dimension(),
            plan.mechanism().name()),
        new Shape(plan.clip(), plan.sigma(), chosen == 0 ? null : chosen, forecast.hasBlocks()),
        forecast.work(),
        forecast.rounds().stream()
            .map(each -> new Cost(
                PlanForecastJson.nullAtLimit(each.rounds()),
                each.rounds() == PlanForecast.LIMIT,
                each.cost()))
            .toList(),
        forecast.unit(),
        new Sentences(RetentionRule.of(forecast.reading()), forecast.advice())));
  }
}
