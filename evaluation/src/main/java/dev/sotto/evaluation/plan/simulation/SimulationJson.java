package dev.sotto.evaluation.plan.simulation;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.evaluation.plan.PlanForecastJson;
import dev.sotto.evaluation.plan.PlanScenario;
import java.util.List;

/**
 * The rows of a simulation as JSON, one for each setting: docs/plan.md, "JSON" lists the fields.
 */
public final class SimulationJson {
  private SimulationJson() {}

  record SimulationRow(
      @JsonUnwrapped PlanForecastJson.Head head,
      Long horizon,
      double clip,
      double stepsMultiplier,
      @JsonUnwrapped Learned learned,
      @JsonUnwrapped Source source) {}

  record Learned(
      double loss, double learned, boolean best, boolean asConfigured, Double freshLearned) {}

  record Source(long seed, int weights, double recordsPerMadeUp) {}

  /**
   * All rows.
   *
   * @param multiplier the plan's {@code ftrl.steps.multiplier}
   */
  public static List<Record> rows(SimulationResult result, double multiplier) {
    return result.grid().all().stream()
        .<Record>map(each -> row(result, each, multiplier))
        .toList();
  }

  private static SimulationRow row(SimulationResult result, SettingResult each, double multiplier) {
    PlanScenario scenario = result.scenario();
    SimulatedSetting setting = each.setting();
    return new SimulationRow(
        PlanForecastJson.head(
            "simulation",
            scenario.own(),
            each.rounds(),
            scenario.own(setting.clip(), each.sigma(), each.rounds()),
            setting.batch()),
        PlanForecastJson.nullAtLimit(each.horizon()),
        setting.clip(),
        setting.stepFactor() * multiplier,
        learned(result, each),
        new Source(result.seed(), result.size().dimension(), result.size().thinning()));
  }

  private static Learned learned(SimulationResult result, SettingResult each) {
    boolean best = each.setting().equals(result.best().setting());
    boolean configured = each.setting().equals(result.configured().setting());
    SettingResult again = best ? result.best() : result.configured();
    return new Learned(
        each.loss(),
        result.grid().learned(each.loss()),
        best,
        configured,
        best || configured ? result.fresh().learned(again.loss()) : null);
  }
}
