package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.noise.SlotClasses;
import dev.sotto.learner.mechanism.AuditTerms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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

  /**
   * The same of the slots of blocks: one slot of each block of a schedule, of the same class in
   * all.
   *
   * @param blocks how many
   */
  static CanaryPlacement.Schedules ofSlots(Plan plan, SlotClasses classes, int blocks) {
    ReleaseSchedule schedule = ReleaseSchedule.of(plan);
    CanaryAmount amount = new CanaryAmount(plan);
    AuditTerms terms = plan.mechanism().auditTerms();
    int perBlock = schedule.count(1);
    int kinds = classes.all().size();
    List<CanaryPlacement.Participations> schedules = new ArrayList<>();
    for (long[] rounds : of(plan, blocks)) {
      for (int kind = 0; kind < kinds; kind++) {
        SlotClasses.SlotClass slots = classes.all().get(kind);
        int[] ofBlock = IntStream.of(slots.queries())
            .flatMap(query -> IntStream.of(schedule.ofQuery(query)))
            .toArray();
        long[] releases = new long[rounds.length * ofBlock.length];
        double[] amounts = new double[releases.length];
        int[] groups = new int[rounds.length];
        int next = 0;
        for (int i = 0; i < rounds.length; i++) {
          int before = (int) rounds[i] - 1;
          groups[i] = before * kinds + kind;
          for (int release : ofBlock) {
            amounts[next] = amount.of((int) schedule.number(release), slots.first());
            releases[next++] = (long) before * perBlock + release;
          }
        }
        int room =
            (int) Math.max(1, Math.min(terms.canaries().most(), (slots.end() - slots.first()) / 2));
        if (terms.apart() == 0 || slots.end() == slots.first() + 1) {
          schedules.add(new CanaryPlacement.Participations(releases, amounts, groups, room));
        }
      }
    }
    return new CanaryPlacement.Schedules(schedules, blocks * kinds);
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
