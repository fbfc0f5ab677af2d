package dev.sotto.app.audit.canary;

import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Admission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    Optional<Admission> admission = plan.account().admission();
    List<long[]> schedules = new ArrayList<>();
    for (int first = 1; first <= horizon; first++) {
      schedules.add(
          admission.isEmpty()
              ? new long[] {first} // a record is a unit of its own
              : admitted(admission.get(), first, horizon));
    }
    return schedules;
  }

  private static long[] admitted(Admission admission, int first, int horizon) {
    List<Long> rounds = new ArrayList<>();
    byte[] history = null;
    for (long round = first; round <= horizon; round++) {
      byte[] longer = admission.admit(history, round);
      if (longer != null) {
        history = longer;
        rounds.add(round);
      }
    }
    return rounds.stream().mapToLong(Long::longValue).toArray();
  }
}
