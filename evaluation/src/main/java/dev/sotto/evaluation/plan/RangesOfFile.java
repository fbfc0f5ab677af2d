package dev.sotto.evaluation.plan;

import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.feature.FeatureKeys;

/**
 * How long ranges of numbers are measured where the number of records is known beforehand: in a
 * tenth of them at most (docs/experiments/short-files.md). A function of public numbers.
 */
public final class RangesOfFile {
  private static final long PART = 10;

  private RangesOfFile() {}

  /**
   * The value of {@link FeatureKeys#RANGES_SLOTS}; 0 for the plan's own window: where it is short
   * enough, and where the label's range is measured, without which nothing can be learned.
   *
   * @param records of one model
   */
  public static long most(long records, Plan plan) {
    if (plan.ranges().numbers().ofLabel()) {
      return 0;
    }
    long most = Math.max(FeatureKeys.LEAST_RANGE_SLOTS, records / PART);
    return usual(plan) > most ? most : 0;
  }

  /** Slots of the plan's own window; 0 without one. */
  public static long usual(Plan plan) {
    return plan.ranges().rounds() * plan.batch();
  }
}
