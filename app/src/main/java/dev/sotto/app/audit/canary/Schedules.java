package dev.sotto.app.audit.canary;

import dev.sotto.learner.round.Plan;
import java.util.ArrayList;
import java.util.List;

/** What one privacy unit may do within some rounds: for a canary, the rounds that its records fall into. */
final class Schedules {
  private Schedules() {}

  /**
   * Schedules that a plan admits, one for each first round: as many participations as the plan admits, as early as it
   * admits them.
   *
   * @return rounds from 1, ascending, none beyond the horizon
   */
  static List<long[]> of(Plan plan, int horizon) {
    List<long[]> schedules = new ArrayList<>();
    for (int first = 1; first <= horizon; first++) {
      schedules.add(new long[] {first}); // unit = record: one slot, for ever
    }
    return schedules;
  }
}
