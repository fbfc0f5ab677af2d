package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.sotto.learner.participation.GenerationSchedule.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationScheduleTest {
  @ParameterizedTest
  @CsvSource({
    "NONE, 1",
    "CONSTANT, 1",
    "CONSTANT, 2",
    "CONSTANT, 7",
    "DOUBLING, 1",
    "DOUBLING, 3",
    "DOUBLING, 8",
  })
  void agreesWithCountingRoundByRound(Kind kind, long first) {
    GenerationSchedule generations = new GenerationSchedule(kind, first);
    int generation = 0;
    long within = 0;
    for (long round = 1; round <= 5000; round++) {
      long length = kind == Kind.DOUBLING ? first << generation : first;
      if (kind != Kind.NONE && within == length) {
        generation++;
        within = 0;
      }
      within++;
      assertThat(generations.of(round)).isEqualTo(generation);
      assertThat(generations.within(round)).isEqualTo(within);
      assertThat(generations.start(generation)).isEqualTo(round - within + 1);
      assertThat(generations.last(generation))
          .isEqualTo(generations.start(generation) - 1 + generations.length(generation));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 1000, (1L << 39) + 1, 1L << 40})
  void coversTheLastRoundsThatALongCanCount(long first) {
    GenerationSchedule doubling = new GenerationSchedule(Kind.DOUBLING, first);
    for (long round : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2 + 1}) {
      int generation = doubling.of(round);
      assertThat(doubling.start(generation)).isBetween(1L, round);
      assertThat(doubling.last(generation)).isGreaterThanOrEqualTo(round);
      assertThat(doubling.length(generation)).isPositive();
      assertThat(doubling.within(round)).isBetween(1L, doubling.length(generation));
    }
    int running = doubling.of(Long.MAX_VALUE);
    for (int generation = 1; generation <= running; generation++) {
      assertThat(doubling.start(generation)).isEqualTo(doubling.last(generation - 1) + 1);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> doubling.start(running + 2))
        .withMessageContaining("there is no generation " + (running + 2));
  }

  /** The longest that a long can count, and the next that it cannot. */
  @Test
  void countsLengthsAsFarAsALongReaches() {
    long first = (1L << 40) - 1;
    GenerationSchedule doubling = new GenerationSchedule(Kind.DOUBLING, first);
    assertThat(doubling.length(23)).isEqualTo(first << 23);
    assertThat(new GenerationSchedule(Kind.DOUBLING, 1L << 40).length(23))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void saysWhichGenerationItCannotCount() {
    GenerationSchedule constant = new GenerationSchedule(Kind.CONSTANT, 3);
    long lastCounted = 3L * (1L << 31);
    assertThat(constant.of(lastCounted)).isEqualTo(Integer.MAX_VALUE);
    assertThat(constant.last(Integer.MAX_VALUE)).isEqualTo(lastCounted);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> constant.of(lastCounted + 1))
        .withMessageContaining("counted up to 2^31");
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, 1, 1",
    "NONE, 1, -1",
    "CONSTANT, 5, -1",
    "DOUBLING, 5, -1",
    "DOUBLING, 1, -64",
    "DOUBLING, 1, 64",
    "DOUBLING, 5, 62",
    "DOUBLING, 1099511627776, 24",
    "CONSTANT, 1099511627776, 8388608"
  })
  void refusesGenerationsThatAreNotThere(Kind kind, long first, int generation) {
    GenerationSchedule generations = new GenerationSchedule(kind, first);
    assertThatIllegalArgumentException().isThrownBy(() -> generations.start(generation));
    assertThatIllegalArgumentException().isThrownBy(() -> generations.length(generation));
    assertThatIllegalArgumentException().isThrownBy(() -> generations.last(generation));
  }

  @Test
  void hasOneGenerationWithoutEndIfItNeverRestarts() {
    assertThat(GenerationSchedule.NONE.of(Long.MAX_VALUE)).isZero();
    assertThat(GenerationSchedule.NONE.last(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(GenerationSchedule.NONE.length(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(GenerationSchedule.NONE.within(12)).isEqualTo(12);
  }

  @Test
  void describesEqualSchedulesAlikeAndOthersApart() {
    assertThat(new GenerationSchedule(Kind.NONE, 12)).isEqualTo(GenerationSchedule.NONE);
    assertThat(GenerationSchedule.NONE.describe()).isEqualTo("none");
    assertThat(new GenerationSchedule(Kind.CONSTANT, 12).describe()).isEqualTo("constant 12");
    assertThat(new GenerationSchedule(Kind.DOUBLING, 12).describe()).isEqualTo("doubling 12");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, (1L << 40) + 1})
  void refusesLengthsOutOfRange(long first) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerationSchedule(Kind.CONSTANT, first))
        .withMessageContaining("but had " + first);
  }

  @Test
  void refusesRoundsBelowOneAndNoKind() {
    assertThatIllegalArgumentException().isThrownBy(() -> GenerationSchedule.NONE.of(0));
    assertThatNullPointerException().isThrownBy(() -> new GenerationSchedule(null, 1));
  }
}
