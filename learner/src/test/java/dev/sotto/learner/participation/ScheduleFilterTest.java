package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleFilterTest {
  private static Admission filter(ContributionBound bound) {
    return AdmissionRules.scheduled(
        bound, new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5));
  }

  /** Every decision against the bound's definition. */
  private static void run(long seed, Function<ContributionBound, Admission> maker) {
    Random random = Seed.random(seed);
    for (int trial = 0; trial < 300; trial++) {
      ContributionBound bound = new ContributionBound(1 + random.nextInt(6), 1 + random.nextInt(7));
      Admission filter = maker.apply(bound);
      List<Long> admitted = new ArrayList<>();
      byte[] history = null;
      for (long round = 1; round < 60; round += random.nextInt(5)) {
        long now = round;
        boolean allowed = admitted.size() < bound.most()
            && admitted.stream().allMatch(each -> now - each >= bound.separation());
        byte[] after = filter.admit(history, round);
        assertThat(after != null)
            .as("%s after %s under %s", round, admitted, bound)
            .isEqualTo(allowed);
        if (after != null) {
          admitted.add(round);
          history = after;
        }
      }
    }
  }

  @Test
  void admitsWhatTheBoundAdmits() {
    run(1, ScheduleFilterTest::filter);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "0, -1", "0, 1"})
  void catchesABoundThatIsOffByOne(long most, long separation) {
    assertThatThrownBy(() -> run(
            1,
            bound -> filter(new ContributionBound(
                bound.most() + most, Math.max(1, bound.separation() + separation)))))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void countsAcrossGenerations() {
    Admission once = filter(ContributionBound.ONE);
    byte[] history = once.admit(null, 1);
    for (long round = 2; round < 100; round++) {
      assertThat(once.admit(history, round)).isNull();
    }
  }

  @Test
  void holdsForBoundsWithoutEnd() {
    Admission every = filter(ContributionBound.EVERY_ROUND);
    byte[] history = every.admit(null, 1);
    history = every.admit(history, 2);
    assertThat(every.admit(history, Long.MAX_VALUE)).isNotNull();
    Admission rare = filter(new ContributionBound(9, Long.MAX_VALUE));
    assertThat(rare.admit(rare.admit(null, 1), Long.MAX_VALUE)).isNull();
  }
}
