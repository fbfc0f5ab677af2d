package dev.sotto.evaluation.audit.noise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SlotClassesTest {
  static List<QuerySchedule> schedules() {
    return List.of(
        QuerySchedule.onePass(3, 4),
        new QuerySchedule(List.of(Segment.whole(0, 12, 1, 2), Segment.whole(0, 12, 4, 1))),
        new QuerySchedule(List.of(new Segment(0, 12, 3, 2, 2, 1), new Segment(0, 12, 2, 1, 1, 1))),
        new QuerySchedule(List.of(Segment.whole(0, 8, 3, 3), Segment.whole(8, 3, 2, 2))));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void givesEverySlotTheQueriesThatReadIt(QuerySchedule schedule) {
    SlotClasses classes = new SlotClasses(schedule);
    for (long slot = 0; slot < schedule.slots(); slot++) {
      SlotClasses.SlotClass found = classes.all().get(classes.of(slot));
      assertThat(found.first()).isLessThanOrEqualTo(slot);
      assertThat(found.end()).isGreaterThan(slot);
      for (int q = 1; q <= schedule.queries(); q++) {
        QuerySchedule.Query query = schedule.query(q);
        boolean reads = query.first() <= slot && slot < query.end();
        assertThat(contains(found.queries(), q)).isEqualTo(reads);
      }
    }
  }

  private static boolean contains(int[] queries, int query) {
    for (int each : queries) {
      if (each == query) {
        return true;
      }
    }
    return false;
  }
}
