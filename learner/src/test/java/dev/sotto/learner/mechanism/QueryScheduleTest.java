package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryScheduleTest {
  private static final Sampling SECRET = new Sampling(16, 3.0 / 64);
  private static final Segment READING = Segment.reading(12);
  private static final Segment WHOLE = Segment.whole(0, 12, 3, 2);

  static List<QuerySchedule> schedules() {
    return List.of(
        QuerySchedule.onePass(3, 4),
        QuerySchedule.onePass(3, 4).inGroups(1).withSampling(new Sampling(5, 1)),
        new QuerySchedule(List.of(new Segment(0, 12, 2, 1, 1, 1e-3))).inGroups(3),
        QuerySchedule.sampled(12, 4, SECRET),
        new QuerySchedule(
            List.of(READING, WHOLE, new Segment(0, 12, 1, 2, 5, 1)), 1, new Sampling(1, 0.1)));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void isReadFromItsLineAgain(QuerySchedule schedule) {
    assertThat(QuerySchedule.parse(schedule.describe())).isEqualTo(schedule);
  }

  /** They are in ledgers for ever. */
  @Test
  void keepsTheLinesThatLedgersHave() {
    assertThat(QuerySchedule.onePass(3, 4).describe()).isEqualTo("0+12/3*1*1@0x1.0p0");
    assertThat(
            new QuerySchedule(List.of(Segment.whole(0, 9, 2, 0.25))).inGroups(3).describe())
        .isEqualTo("0+9/1*1*2@0x1.0p-2 groups=3");
    assertThat(QuerySchedule.sampled(12, 4, SECRET).describe())
        .isEqualTo("0+12/1*1*1@Infinity 0+12/1*1*4@0x1.0p0 points=16 rate=0x1.8p-5");
    assertThat(QuerySchedule.sampled(12, 4, new Sampling(16, 1)).describe())
        .isEqualTo("0+12/1*1*4@0x1.0p0 points=16 rate=0x1.0p0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0+12/1*1*1",
        "0+12/1*1*1@0x1.0p0 points=16",
        "0+12/1*1*1@0x1.0p0 rate=0x1.0p0",
        "0+12/1*1*1@0x1.0p0 points=0 rate=0x1.0p0",
        "0+12/1*1*1@0x1.0p0 points=2 rate=0x1.8p-5",
        "0+12/1*1*1@Infinity 0+12/1*1*4@0x1.0p0",
        "0+12/1*1*1@Infinity 0+12/1*1*4@0x1.0p0 points=2 rate=NaN",
        "0+12/1*1*1@0x1.0p0 groups=3 points=2 rate=0x1.0p0",
        "0+12/1*1*1@0x1.0p0 points=2 rate=0x1.0p0 groups=3"
      })
  void refusesOtherLines(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> QuerySchedule.parse(line));
  }

  /** One query that only reads, then four of sixteen sums each. */
  @Test
  void countsWhatSampledQueriesReadAndTake() {
    QuerySchedule schedule = QuerySchedule.sampled(12, 4, SECRET);
    assertThat(schedule.slots()).isEqualTo(12);
    assertThat(schedule.queries()).isEqualTo(5);
    assertThat(schedule.answers(1)).isFalse();
    for (long q = 2; q <= 5; q++) {
      assertThat(schedule.answers(q)).isTrue();
      assertThat(schedule.query(q)).isEqualTo(new QuerySchedule.Query(0, 12, 1, q - 2));
    }
    assertThat(schedule.readsAgain()).isTrue();
    assertThat(schedule.readBefore(1)).isZero();
    assertThat(schedule.readBefore(2)).isEqualTo(12);
    assertThat(schedule.largestQuery()).isEqualTo(12);
    assertThat(schedule.reads()).isEqualTo(60);
    assertThat(schedule.mostReads()).isEqualTo(5);
    assertThat(schedule.gradients()).isEqualTo(12 * 4 * 16 * 3 / 64);
    assertThat(schedule.withSampling(new Sampling(16, 0.047)).gradients()).isEqualTo(37); // 36.096
    assertThat(schedule.worstPrecision()).isEqualTo(4);
    QuerySchedule whole = QuerySchedule.sampled(12, 4, new Sampling(16, 1));
    assertThat(whole.queries()).isEqualTo(4);
    assertThat(whole.answers(1)).isTrue();
    assertThat(whole.gradients()).isEqualTo(12 * 4 * 16);
    assertThat(whole.reads()).isEqualTo(48);
  }

  private static void refused(ThrowingCallable making, String... words) {
    assertThatIllegalArgumentException().isThrownBy(making).withMessageContainingAll(words);
  }

  @Test
  void refusesSamplingThatIsNone() {
    refused(() -> new Sampling(0, 1), "points must be at least 1, but were 0");
    refused(() -> new Sampling(1, 0), "rate must be above 0 and at most 1, but was 0.0");
    refused(() -> new Sampling(1, 1.5), "but was 1.5");
    refused(() -> new Sampling(1, Double.NaN), "but was NaN");
  }

  @Test
  void refusesSegmentsThatDoNotGoWithSampling() {
    refused(
        () -> new QuerySchedule(List.of(WHOLE), 1, SECRET),
        "rate 0.046875 the first segment must read without answers",
        "but its noise was 2.0");
    refused(
        () -> new QuerySchedule(List.of(READING, WHOLE, READING), 1, SECRET),
        "segment 3 must have answers",
        "but its noise was Infinity");
    refused(
        () -> new QuerySchedule(List.of(READING), 1, SECRET),
        "must have a segment with answers, but had 1");
    refused(
        () -> new QuerySchedule(List.of(READING, new Segment(0, 12, 3, 1, 1, 1)), 1, SECRET),
        "the whole block in one batch, but segment 2 was 0+12 in 3");
    refused(
        () -> new QuerySchedule(List.of(READING, Segment.whole(12, 4, 1, 1)), 1, SECRET),
        "the whole block in one batch, but segment 1 was 0+12 in 1");
    refused(
        () -> new QuerySchedule(List.of(READING, WHOLE)),
        "with rate 1.0 segment 1 must have answers",
        "but its noise was Infinity");
    refused(
        () -> new QuerySchedule(List.of(READING, WHOLE), 3, SECRET), "queries in 3 groups", "16");
    refused(
        () -> new QuerySchedule(List.of(WHOLE), 3, new Sampling(2, 1)), "queries in 3 groups", "2");
    refused(() -> QuerySchedule.sampled(12, 4, SECRET).inGroups(3), "queries in 3 groups");
    refused(
        () -> new QuerySchedule(
            List.of(Segment.whole(0, 1L << 40, 1 << 20, 1)), 1, new Sampling(8, 1)),
        "must be countable");
  }

  @Test
  void refusesAReadingThatIsMoreThanOnePass() {
    double none = Double.POSITIVE_INFINITY;
    refused(() -> new Segment(0, 12, 3, 1, 1, none), "without answers", "but was 0, 3, 1, 1");
    refused(() -> new Segment(0, 12, 1, 2, 1, none), "but was 0, 1, 2, 1");
    refused(() -> new Segment(0, 12, 1, 1, 2, none), "but was 0, 1, 1, 2");
    refused(() -> new Segment(4, 12, 1, 1, 1, none), "but was 4, 1, 1, 1");
    refused(() -> new Segment(0, 12, 1, 1, 1, Double.NaN), "noise must be positive, but was NaN");
  }
}
