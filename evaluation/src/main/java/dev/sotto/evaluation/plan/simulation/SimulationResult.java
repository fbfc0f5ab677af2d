package dev.sotto.evaluation.plan.simulation;

import dev.sotto.evaluation.plan.PlanScenario;

/**
 * The losses of all simulated settings.
 *
 * @param seed from which all data and noise follow
 * @param grid every setting
 * @param fresh the best setting of the grid and the configured one, on other repetitions than those
 *     by which the best was chosen: these figures are without selection bias
 */
public record SimulationResult(
    PlanScenario scenario, long seed, StreamSize size, LossSample grid, LossSample fresh) {
  /** The best setting, on fresh repetitions. */
  public SettingResult best() {
    return fresh.of(grid.best().setting());
  }

  /** The configured setting, on fresh repetitions. */
  public SettingResult configured() {
    return fresh.of(SimulatedSetting.of(scenario.plan()));
  }
}
