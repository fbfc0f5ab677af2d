package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.ArrayList;
import java.util.Arrays;
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

  private static List<QuerySchedule> mixed() {
    return List.of(
        QuerySchedule.onePass(3, 4),
        new QuerySchedule(List.of(new Segment(0, 12, 1, 1, 3, 2))),
        new QuerySchedule(List.of(new Segment(0, 12, 4, 2, 1, 2))),
        new QuerySchedule(List.of(
            new Segment(0, 8, 4, 2, 3, 2),
            new Segment(8, 6, 1, 1, 5, 0.5),
            new Segment(14, 6, 3, 2, 1, 1),
            new Segment(0, 20, 10, 1, 2, 4))));
  }

  /** One query after the other, as the fields of a segment say it. */
  private static List<QuerySchedule.Query> all(QuerySchedule schedule) {
    List<QuerySchedule.Query> all = new ArrayList<>();
    for (int i = 0; i < schedule.segments().size(); i++) {
      Segment each = schedule.segments().get(i);
      long batch = each.slots() / each.batches();
      for (long pass = 0; pass < each.passes(); pass++) {
        for (long place = 0; place < each.batches(); place++) {
          for (long repeat = 0; repeat < each.repeats(); repeat++) {
            all.add(new QuerySchedule.Query(each.first() + place * batch, batch, i, pass));
          }
        }
      }
    }
    return all;
  }

  @Test
  void isTheQueriesOfItsSegmentsInTheirOrder() {
    for (QuerySchedule schedule : mixed()) {
      List<QuerySchedule.Query> all = all(schedule);
      assertThat(schedule.queries()).isEqualTo(all.size());
      long read = 0;
      for (int q = 0; q < all.size(); q++) {
        assertThat(schedule.query(q + 1)).isEqualTo(all.get(q));
        assertThat(schedule.readBefore(q + 1)).isEqualTo(read);
        read = Math.max(read, all.get(q).end());
      }
      for (long none : new long[] {0, all.size() + 1}) {
        refused(() -> schedule.query(none), "a block has queries 1 to " + all.size());
      }
      long[] times = new long[(int) schedule.slots()];
      double[] precision = new double[times.length];
      for (QuerySchedule.Query each : all) {
        double noise = schedule.segments().get(each.segment()).noise();
        for (int slot = (int) each.first(); slot < each.end(); slot++) {
          times[slot]++;
          precision[slot] += 1 / (noise * noise);
        }
      }
      assertThat(schedule.reads()).isEqualTo(Arrays.stream(times).sum());
      assertThat(schedule.withSampling(new Sampling(3, 1)).gradients())
          .isEqualTo(3 * schedule.reads());
      assertThat(schedule.mostReads()).isEqualTo(Arrays.stream(times).max().getAsLong());
      assertThat(schedule.worstPrecision())
          .isCloseTo(Arrays.stream(precision).max().getAsDouble(), within(1e-12));
      assertThat(schedule.largestQuery())
          .isEqualTo(all.stream().mapToLong(QuerySchedule.Query::slots).max().getAsLong());
    }
  }

  @Test
  void knowsWhetherASlotIsReadAgain() {
    assertThat(QuerySchedule.onePass(3, 4).readsAgain()).isFalse();
    assertThat(
            new QuerySchedule(List.of(new Segment(0, 8, 2, 1, 1, 1), new Segment(8, 4, 1, 1, 1, 1)))
                .readsAgain())
        .isFalse();
    for (Segment again : List.of(new Segment(0, 8, 2, 2, 1, 1), new Segment(0, 8, 2, 1, 2, 1))) {
      assertThat(new QuerySchedule(List.of(again)).readsAgain()).isTrue();
    }
    Segment once = new Segment(0, 8, 2, 1, 1, 1);
    assertThat(new QuerySchedule(List.of(once, once)).readsAgain()).isTrue();
  }

  @Test
  void saysWhatHindersSumsOfParts() {
    Segment whole = Segment.whole(0, 12, 3, 2);
    assertThat(new QuerySchedule(List.of(whole, whole)).hindersParts()).isEmpty();
    assertThat(QuerySchedule.sampled(12, 4, SECRET).hindersParts().orElseThrow())
        .contains("secret coins");
    assertThat(new QuerySchedule(List.of(whole)).inGroups(3).hindersParts().orElseThrow())
        .contains("medians of groups");
    for (Segment part : List.of(new Segment(0, 12, 3, 1, 1, 1), Segment.whole(12, 4, 1, 1))) {
      assertThat(new QuerySchedule(List.of(whole, part)).hindersParts().orElseThrow())
          .contains("a part of a block");
    }
  }

  @Test
  void refusesSegmentsThatDoNotFollowEachOther() {
    refused(() -> new QuerySchedule(List.of()), "at least one segment");
    refused(() -> QuerySchedule.onePass(3, 4).inGroups(2), "groups must be odd");
    refused(() -> QuerySchedule.onePass(3, 4).inGroups(-1), "groups must be odd");
    refused(() -> QuerySchedule.onePass(3, 4).inGroups(3), "a multiple of its 3 groups");
    refused(
        () -> new QuerySchedule(List.of(WHOLE, Segment.whole(13, 2, 1, 1))),
        "must begin after the one before, at slot 12",
        "begins at 13");
    refused(() -> new QuerySchedule(List.of(WHOLE, Segment.whole(0, 8, 1, 1))), "but begins at 0");
    refused(
        () -> new QuerySchedule(List.of(WHOLE, new Segment(12, 4, 2, 1, 2, 1))),
        "several passes in several batches",
        "begin at 12");
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

  @Test
  void refusesSegmentsThatCannotBeCounted() {
    String least = "at least one slot, batch, repeat and pass";
    refused(() -> new Segment(-1, 1, 1, 1, 1, 1), least);
    refused(() -> new Segment(0, 0, 1, 1, 1, 1), least);
    refused(() -> new Segment(0, 1, 0, 1, 1, 1), least);
    refused(() -> new Segment(0, 1, 1, 0, 1, 1), least);
    refused(() -> new Segment(0, 1, 1, 1, 0, 1), least);
    refused(() -> new Segment(0, 3, 2, 1, 1, 1), "a multiple of its batches, but were 3 and 2");
    refused(() -> new Segment(0, 1, 1, 1, 1, 0), "noise must be positive, but was 0.0");
    long most = 1L << 62;
    String end = "must end before slot 2^62";
    assertThat(new Segment(0, most, 1, 1, 1, 1).slots()).isEqualTo(most);
    refused(() -> new Segment(1, most, 1, 1, 1, 1), end);
    assertThat(new Segment(0, 1, 1, 1L << 31, 1L << 31, 1).slots()).isEqualTo(1);
    refused(() -> new Segment(0, 1, 1, 1L << 31, (1L << 31) + 1, 1), end);
    refused(() -> new Segment(0, 1L << 31, 1L << 31, 1L << 31, 1, 1), "must be countable");
    refused(() -> new Segment(0, 1L << 32, 1L << 32, 1L << 31, 1, 1), end);
    Segment long40 = new Segment(0, 1L << 40, 1, 1L << 10, 1L << 10, 1);
    refused(() -> new QuerySchedule(List.of(long40), 1, new Sampling(8, 1)), "must be countable");
  }

  /** A slot in all of its queries costs one participation, and hardly less. */
  @Test
  void hasNoiseUnderWhichABlockCostsOneParticipation() {
    for (QuerySchedule each : mixed()) {
      for (int points : new int[] {1, 5}) {
        QuerySchedule schedule = each.withSampling(new Sampling(points, 1));
        QueryNoise noise = new QueryNoise(schedule);
        double[] cost = new double[(int) schedule.slots()];
        double least = Double.POSITIVE_INFINITY;
        double largest = 0;
        for (long number = 1; number <= schedule.queries(); number++) {
          QuerySchedule.Query query = schedule.query(number);
          for (int slot = (int) query.first(); slot < query.end(); slot++) {
            cost[slot] += points / Math.pow(noise.noise(number), 2);
          }
          least = Math.min(least, noise.noise(number));
          largest = Math.max(largest, noise.noise(number));
        }
        assertThat(Arrays.stream(cost).max().getAsDouble()).isBetween(1 - 1e-11, 1.0);
        assertThat(noise.leastNoise()).isEqualTo(least);
        assertThat(noise.largestNoise()).isEqualTo(largest);
        assertThat(noise.sensitivity(9)).isEqualTo(1);
      }
    }
    SampledQueryNoise sampled = new SampledQueryNoise(QuerySchedule.sampled(12, 4, SECRET));
    assertThat(sampled.sensitivity(9)).isBetween(8.0, 8 + 1e-10); // 4 queries at 16 points
    assertThat(sampled.sensitivityLimit()).isEqualTo(sampled.sensitivity(9));
    assertThat(sampled.leastNoise()).isEqualTo(1);
    assertThat(sampled.sampledSums()).containsExactly(new SampledSums(SECRET.rate(), 1, 4 * 16));
    assertThat(sampled.auditTerms()).isEqualTo(AuditTerms.SAMPLED_SUMS);
    assertThat(sampled.noised()).contains("coins choose");
    assertThat(Mechanisms.of(sampled.name(), sampled.parameters()).parameters())
        .isEqualTo(sampled.parameters());
    assertThat(sampled.name()).isEqualTo("sampled-queries");
    assertThat(sampled.released()).isEqualTo(Released.ANSWER);
    assertThat(sampled.moves(2)).isEqualTo(1);
    assertThat(sampled.passes()).isEqualTo(5);
    assertThat(sampled.memory()).isEmpty();
    assertThat(sampled.answerRows().reach()).isEqualTo(Integer.MAX_VALUE);
    refused(() -> new SampledQueryNoise(QuerySchedule.onePass(3, 4)), "must be below 1");
    refused(() -> new SampledSums(0, 1, 1), "rate must be above 0");
    refused(() -> new SampledSums(1, 1, 1), "rate must be above 0");
    refused(() -> new SampledSums(0.5, 0, 1), "noise must be positive");
    refused(() -> new SampledSums(0.5, Double.POSITIVE_INFINITY, 1), "noise must be positive");
    refused(() -> new SampledSums(0.5, 1, 0), "sums must be at least 1");
    assertThat(new SampledSums(0.5, 1, 1).sums()).isEqualTo(1);
  }

  @Test
  void keepsTheNoiseOfQueriesWithinOneLattice() {
    Segment quiet = Segment.whole(0, 12, 1, 1);
    assertThat(new QueryNoise(new QuerySchedule(List.of(quiet, Segment.whole(0, 12, 1, 2048))))
            .queries())
        .isEqualTo(2);
    Segment loud = Segment.whole(0, 12, 1, Math.nextUp(2048.0));
    refused(() -> new QueryNoise(new QuerySchedule(List.of(quiet, loud))), "at most 2048.0 times");
    refused(
        () -> new SampledQueryNoise(
            new QuerySchedule(List.of(READING, quiet, loud), 1, new Sampling(1, 0.5))),
        "at most 2048.0 times");
  }

  @Test
  void tellsItsBlocks() {
    QueryMechanism passes = new QueryNoise(new QuerySchedule(List.of(WHOLE)));
    assertThat(passes.rounds(12)).isEqualTo("blocks of 12 slots, 3 queries each, 3 passes");
    assertThat(new QueryNoise(QuerySchedule.onePass(1, 12)).rounds(12))
        .isEqualTo("blocks of 12 slots, 1 query each, 1 pass");
    assertThat(new QueryNoise(new QuerySchedule(
                List.of(new Segment(0, 8, 2, 1, 1, 1), new Segment(8, 4, 1, 1, 3, 1))))
            .rounds(12))
        .isEqualTo("blocks of 12 slots, 5 queries each, 1.7 passes");
    assertThat(QueryMechanism.ofQueries(QuerySchedule.sampled(12, 4, SECRET)).rounds(12))
        .isEqualTo("blocks of 12 slots, 5 queries each, 5 passes, 16 points a query, each slot in a"
            + " sum with a secret probability of 0.046875");
    assertThat(MomentumTree.endless(0.5, 0.0).rounds(12)).isEqualTo("rounds of 12 slots");
    assertThat(MomentumTree.endless(0.5, 0.0).noised()).isEqualTo("a round's sum");
    assertThat(passes.noised()).isEqualTo("a sum, were a block one query");
    assertThat(passes.noun() + " " + passes.nouns()).isEqualTo("query queries");
    assertThat(passes.describe(null).parts()).isEmpty();
    assertThat(passes.describesQueries()).isFalse();
    assertThat(passes.isEndless()).isFalse();
    assertThat(passes.ordered()).isEmpty();
    assertThat(passes.ofDimension(5)).isSameAs(passes);
    assertThat(passes.ofAnyLattice()).isSameAs(passes);
    assertThat(passes.quietest()).isEqualTo(0x1p-14);
    assertThat(passes.runningVariance(3)).isEmpty();
    assertThat(passes.divisor(7)).isEqualTo(7);
    assertThat(passes.ofPrefixes()).isEmpty();
    assertThat(passes.ofQueries()).containsSame(passes);
    assertThat(passes.stateBytes(9, 9) + passes.sumBytes(9) + passes.redrawnBytes(9, 9))
        .isZero();
    assertThat(passes.composes()).isFalse();
  }

  @Test
  void costsAUnitTheRootOfItsBlocks() {
    QueryMechanism one = QueryMechanism.ofOneQuery();
    ContributionBound bound = new ContributionBound(3, 2);
    assertThat(one.sensitivity(1, bound)).isEqualTo(1);
    assertThat(one.sensitivity(9, bound)).isEqualTo(Math.sqrt(3));
    assertThat(one.sensitivityLimit(bound)).isEqualTo(Math.sqrt(3));
    assertThat(one.sensitivityLimit(ContributionBound.EVERY_ROUND)).isInfinite();
    assertThat(one.memory()).contains(ColumnDecay.NONE);
    assertThat(QueryMechanism.ofOneSampledQuery().memory()).isEmpty();
    WindowTree windows = new WindowTree(8, 4, 0.25);
    assertThat(windows.sensitivity(9) + windows.sensitivityLimit()).isEqualTo(2);
  }
}
