package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The filter against a dense C, and against arithmetic of many digits. */
class BudgetFilterTrialsTest {
  /** A filter that remembers its rounds and asks the dense book, rightly or not. */
  private record Twin(Trials.Setting setting, Flaw flaw) implements Admission {
    enum Flaw {
      NONE,
      FORGETS_GAPS,
      FORGETS_LATER_ROWS,
      STARTS_AFRESH_WITH_EACH_GENERATION,
      CARRIES_OVER_INTO_THE_NEXT_GENERATION,
      FORGETS_METRICS,
      ALLOWS_TWO_IN_A_ROUND,
      IGNORES_SEPARATION,
      IGNORES_SEPARATION_ACROSS_GENERATIONS
    }

    @Override
    public byte[] admit(byte[] history, long round) {
      List<Long> rounds = new ArrayList<>();
      for (ByteBuffer bytes = ByteBuffer.wrap(history == null ? new byte[0] : history);
          bytes.hasRemaining(); ) {
        rounds.add(bytes.getLong());
      }
      if (!rounds.isEmpty() && round - rounds.get(rounds.size() - 1) < separation(rounds, round)) {
        return null;
      }
      rounds.add(round);
      if (!(committed(rounds) <= setting.mu() * setting.mu())) {
        return null;
      }
      ByteBuffer bytes = ByteBuffer.allocate(8 * rounds.size());
      rounds.forEach(bytes::putLong);
      return bytes.array();
    }

    private long separation(List<Long> rounds, long round) {
      GenerationSchedule generations = setting.generations();
      boolean sameGeneration =
          generations.of(rounds.get(rounds.size() - 1)) == generations.of(round);
      return switch (flaw) {
        case ALLOWS_TWO_IN_A_ROUND -> 0;
        case IGNORES_SEPARATION -> 1;
        case IGNORES_SEPARATION_ACROSS_GENERATIONS ->
          sameGeneration ? setting.rule().separation() : 1;
        default -> setting.rule().separation();
      };
    }

    private double committed(List<Long> rounds) {
      long last = rounds.get(rounds.size() - 1);
      GenerationSchedule generations = setting.generations();
      return switch (flaw) {
        case NONE,
            ALLOWS_TWO_IN_A_ROUND,
            IGNORES_SEPARATION,
            IGNORES_SEPARATION_ACROSS_GENERATIONS -> setting.dense().committed(rounds);
        case FORGETS_LATER_ROWS -> setting.dense().spent(rounds, last);
        case STARTS_AFRESH_WITH_EACH_GENERATION ->
          setting
              .dense()
              .committed(rounds.stream()
                  .filter(each -> generations.of(each) == generations.of(last))
                  .toList());
        case CARRIES_OVER_INTO_THE_NEXT_GENERATION ->
          dense(GenerationSchedule.NONE, setting.metricsRatioSquared()).committed(rounds);
        case FORGETS_METRICS -> dense(generations, 0).committed(rounds);
        case FORGETS_GAPS -> {
          double gaps = 0;
          for (int i = 1; i < rounds.size(); i++) {
            List<Long> before = rounds.subList(0, i);
            gaps += setting.dense().spent(before, rounds.get(i) - 1)
                - setting.dense().spent(before, rounds.get(i - 1));
          }
          yield setting.dense().committed(rounds) - gaps;
        }
      };
    }

    private DenseBook dense(GenerationSchedule generations, double metrics) {
      return new Trials.Setting(
              setting.rule(), setting.memory(), generations, setting.ratioSquared(), metrics)
          .dense();
    }
  }

  private static Admission filter(Trials.Setting setting) {
    return AdmissionRules.budgeted(
        setting.rule(),
        setting.memory(),
        setting.generations(),
        setting.ratioSquared(),
        setting.metricsRatioSquared());
  }

  @Test
  void neverPassesTheBudgetAndNeverRefusesWhatItHasRoomFor() {
    Trials.run(1, 150, BudgetFilterTrialsTest::filter);
  }

  @ParameterizedTest
  @EnumSource(Twin.Flaw.class)
  void catchesABrokenFilter(Twin.Flaw flaw) {
    if (flaw == Twin.Flaw.NONE) {
      Trials.run(2, 60, setting -> new Twin(setting, flaw));
    } else {
      assertThatThrownBy(() -> Trials.run(2, 60, setting -> new Twin(setting, flaw)))
          .isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void keepsTheBudgetForEveryPatternOfArrivals() {
    Random random = Seed.random(3);
    for (int trial = 0; trial < 12; trial++) {
      Trials.Setting setting = Trials.Setting.random(random);
      Admission filter = filter(setting);
      for (long pattern = 1; pattern < 1 << 8; pattern++) {
        long bits = pattern;
        Trials.check(
            setting,
            filter,
            LongStream.rangeClosed(1, 8)
                .filter(round -> (bits >> (round - 1) & 1) == 1)
                .boxed()
                .toList());
      }
    }
  }

  @Test
  void spendsWhatTheRowsCostAtEveryRound() {
    Random random = Seed.random(4);
    for (int trial = 0; trial < 60; trial++) {
      Trials.Setting setting = Trials.Setting.random(random);
      BudgetFilter filter = (BudgetFilter) filter(setting);
      List<Long> admitted = new ArrayList<>();
      byte[] history = null;
      for (long round = 1; round <= 180; round += 1 + random.nextInt(40)) {
        byte[] after = filter.admit(history, round);
        if (after != null) {
          admitted.add(round);
          history = after;
        }
        for (long later : new long[] {round, round + 1, round + 7, 200}) {
          double exact = setting.dense().spent(admitted, later);
          assertThat(filter.spentAt(history, later)).isCloseTo(exact, within(1e-12 * exact));
        }
        double exact = setting.dense().committed(admitted);
        assertThat(filter.committed(history)).isCloseTo(exact, within(1e-12 * exact));
      }
    }
  }

  /**
   * Plain rounding falls below the truth in many of these: the sums are too short to make up for
   * it.
   */
  @Test
  void roundsEveryStepAgainstTheUnit() {
    Random random = Seed.random(6);
    for (int trial = 0; trial < 500; trial++) {
      ColumnDecay memory = Memories.random(random);
      double ratio = random.nextDouble();
      BudgetFilter filter = new BudgetFilter(
          new Participation.Budgeted(1e9), memory, GenerationSchedule.NONE, ratio, 0);
      ExactBook exact = new ExactBook(memory, ratio);
      byte[] history = null;
      long round = 0;
      for (int i = 0; i < 3; i++) {
        round += 1 + random.nextInt(20);
        history = filter.admit(history, round);
        exact.enter(round);
        assertThat(new BigDecimal(filter.committed(history)))
            .isGreaterThanOrEqualTo(exact.committed());
      }
    }
  }

  @Test
  void roundsAgainstTheUnitHoweverManyRecordsItSends() {
    Random random = Seed.random(5);
    List<ColumnDecay> memories = new ArrayList<>(List.of(Memories.ANYTIME, Memories.TEN_BITS));
    for (int i = 0; i < 5; i++) {
      memories.add(Memories.random(random));
    }
    for (ColumnDecay memory : memories) {
      for (int longestGap : new int[] {1, 30, 3000, 10_000_000}) {
        double ratio = random.nextDouble();
        BudgetFilter filter = new BudgetFilter(
            new Participation.Budgeted(1e9), memory, GenerationSchedule.NONE, ratio, 0);
        ExactBook exact = new ExactBook(memory, ratio);
        byte[] history = null;
        long round = 0;
        for (int i = 1; i <= 25; i++) {
          round += 1 + (longestGap == 1 ? 0 : random.nextInt(longestGap));
          history = filter.admit(history, round);
          exact.enter(round);
        }
        BigDecimal kept = new BigDecimal(filter.committed(history));
        assertThat(kept).isGreaterThanOrEqualTo(exact.committed());
        double above = kept.doubleValue() / exact.committed().doubleValue() - 1;
        assertThat(above).isLessThan(5e-13);
      }
    }
  }
}
