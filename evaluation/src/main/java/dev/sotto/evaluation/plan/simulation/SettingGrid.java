package dev.sotto.evaluation.plan.simulation;

import java.util.ArrayList;
import java.util.List;

/** The settings that are tried: powers of two and four around those of the plan. */
final class SettingGrid {
  private static final double[] BATCHES = {0.25, 0.5, 1, 2, 4};
  private static final double[] STEPS = {0.25, 1, 4, 16, 64};
  private static final double[] CLIPS = {0.25, 0.5, 1, 2};

  private SettingGrid() {}

  /**
   * All of them.
   *
   * @param records in the stream; of each batch size there are at least two rounds
   */
  static List<SimulatedSetting> around(long batch, double clip, long records) {
    List<SimulatedSetting> all = new ArrayList<>();
    for (double size : BATCHES) {
      double slots = size * batch;
      boolean whole = slots >= 1 && slots == Math.rint(slots);
      if (size == 1 || whole && 2 * slots <= records) {
        for (double step : STEPS) {
          for (double bound : CLIPS) {
            all.add(new SimulatedSetting((long) slots, step, bound * clip));
          }
        }
      }
    }
    return all;
  }
}
