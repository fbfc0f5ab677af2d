package dev.sotto.app.plan.simulation;

import dev.sotto.app.plan.Scenario;

/**
 * What came of all settings.
 *
 * @param seed from which all follows
 * @param dimension of the made-up examples; the plan's may be larger
 * @param records of the stream that was simulated
 * @param thinning how many of them one made-up record stood for
 * @param grid every setting
 * @param fresh the best of the grid, and the configured one, on other repetitions than those it was chosen by: the
 *     luck of the best is not in these figures
 */
public record Findings(
    Scenario scenario,
    long seed,
    int dimension,
    long records,
    double thinning,
    Sample grid,
    Sample fresh) {
  /** The best setting, on fresh repetitions. */
  public Finding best() {
    return fresh.of(grid.best().setting());
  }

  /** The plan as it stands, on fresh repetitions. */
  public Finding configured() {
    return fresh.of(Setting.of(scenario.plan()));
  }
}
