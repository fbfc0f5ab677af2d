package dev.sotto.evaluation.audit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.BlockFault;
import dev.sotto.evaluation.audit.subject.FaultyBlockLearner;
import dev.sotto.evaluation.audit.subject.FaultyLearner;
import dev.sotto.evaluation.audit.subject.InjectedFault;
import dev.sotto.evaluation.audit.subject.LessNoise;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.training.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The price of a block, and the noise of its queries. Noise checks alarm once in 10^6. */
class BlockClaimsTest {
  private static final int SAMPLES = 1 << 16;
  private static final QuerySchedule MIXED = new QuerySchedule(
      List.of(new Segment(0, 24, 4, 1, 1, 1), Segment.whole(24, 20, 6, Math.sqrt(6))));

  static List<QuerySchedule> schedules() {
    return List.of(
        QuerySchedule.onePass(6, 4),
        MIXED,
        new QuerySchedule(List.of(Segment.whole(0, 12, 1, 2), Segment.whole(0, 12, 4, 1))),
        new QuerySchedule(List.of(new Segment(0, 12, 3, 2, 2, 1))));
  }

  private static Plan plan(QuerySchedule schedule) {
    return Plans.plan(each -> each.blocks(schedule));
  }

  private static List<CheckResult> noise(AuditSubject subject, Plan plan) {
    return new NoiseChecks(subject, plan, 3, SAMPLES, 11).all();
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void costsOneParticipation(QuerySchedule schedule) {
    assertThat(BlockClaims.ledger(plan(schedule)).holds()).isTrue();
    QueryNoise noise = new QueryNoise(schedule);
    assertThat(BlockClaims.worst(schedule, noise::noise)).isCloseTo(1, within(1e-9));
    // The twins: the noise of one query for each of several passes, and one query's halved.
    assertThat(BlockClaims.worst(schedule, query -> noise.noise(query) / 2)).isGreaterThan(1.99);
    assertThat(BlockClaims.worst(schedule, query -> 1))
        .isCloseTo(Math.sqrt(schedule.mostReads()), within(1e-9));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void findsTheNoiseOfQueriesAsClaimed(QuerySchedule schedule) {
    for (AuditSubject honest : List.of(
        ProductLearner.AS_IT_IS,
        new FaultyLearner(InjectedFault.NONE),
        new FaultyBlockLearner(BlockFault.NONE))) {
      assertThat(noise(honest, plan(schedule)))
          .as(honest.name())
          .allMatch(CheckResult::holds)
          .hasSize(11);
    }
  }

  @Test
  void findsNoiseThatQueriesShareOrThatIsTooSmall() {
    assertThat(failed(new FaultyBlockLearner(BlockFault.NOISE_BY_BLOCK), MIXED))
        .contains("noise: change between rounds", "noise: rounds are independent")
        .doesNotContain("noise: variance of prefixes", "noise: a retry changes nothing");
    assertThat(failed(
            new FaultyBlockLearner(BlockFault.NOISE_FOR_MORE_SLOTS), QuerySchedule.onePass(15, 6)))
        .contains("noise: size", "noise: variance of prefixes")
        .doesNotContain("noise: rounds are independent");
    assertThat(failed(LessNoise.HALF, MIXED)).contains("noise: size");
  }

  @ParameterizedTest
  @EnumSource(names = {"NOISE_BY_ROUND", "NOISE_BY_BATCH", "NOISE_AFRESH"})
  void findsNoiseThatIsNotBoundToTheHistory(InjectedFault fault) {
    assertThat(failed(new FaultyLearner(fault), MIXED))
        .contains(
            fault == InjectedFault.NOISE_AFRESH
                ? "noise: a retry changes nothing"
                : "noise: bound to the history");
  }

  private static List<String> failed(AuditSubject subject, QuerySchedule schedule) {
    return noise(subject, plan(schedule)).stream()
        .filter(check -> !check.holds())
        .map(CheckResult::name)
        .toList();
  }
}
