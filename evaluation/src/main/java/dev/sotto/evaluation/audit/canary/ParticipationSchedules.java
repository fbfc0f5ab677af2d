package dev.sotto.evaluation.audit.canary;

import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rounds in which the records of one privacy unit may fall. */
final class ParticipationSchedules {
  private ParticipationSchedules() {}

  /**
   * Schedules that a plan admits, one for each first round: as many participations as the plan
   * admits, as early as it admits them.
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
