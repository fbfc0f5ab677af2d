package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.accounting.OffsetRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundSlicesTest {
  private static final List<OffsetRange> FIRST =
      List.of(new OffsetRange(0, 10, 14), new OffsetRange(1, 0, 4));

  @Test
  void cutsPartitionsIntoSlicesWithoutGaps() {
    RoundSlices rounds = new RoundSlices(FIRST);
    assertThat(rounds.partitions()).isEqualTo(2);
    assertThat(rounds.slots()).isEqualTo(4);
    for (int partition = 0; partition < 2; partition++) {
      long origin = FIRST.get(partition).from();
      assertThat(rounds.origin(partition)).isEqualTo(origin);
      assertThat(rounds.roundOf(partition, origin - 1)).isZero();
      for (int i = 0; i < 20; i++) {
        assertThat(rounds.roundOf(partition, origin + i)).isEqualTo(1 + i / 4);
      }
      for (long round = 1; round <= 5; round++) {
        long from = origin + 4 * (round - 1);
        assertThat(rounds.slice(partition, round))
            .isEqualTo(new OffsetRange(partition, from, from + 4));
        assertThat(rounds.ofRounds(partition, round, round + 2))
            .isEqualTo(new OffsetRange(partition, from, from + 12));
      }
    }
  }

  @Test
  void readsASliceWithEveryQueryOfABlock() {
    RoundSlices blocks = new RoundSlices(FIRST, 3);
    for (long query = 1; query <= 9; query++) {
      long from = 10 + 4 * ((query - 1) / 3);
      assertThat(blocks.slice(0, query)).isEqualTo(new OffsetRange(0, from, from + 4));
    }
    assertThat(blocks.roundOf(0, 13)).isEqualTo(1); // the first query that reads it
    assertThat(blocks.roundOf(0, 14)).isEqualTo(4);
    assertThat(blocks.ofRounds(0, 2, 3)).isEqualTo(new OffsetRange(0, 14, 22));
  }

  @Test
  void refusesSlicesThatAreNotAlike() {
    for (List<OffsetRange> first : List.of(
        List.<OffsetRange>of(),
        List.of(new OffsetRange(1, 0, 4)),
        List.of(new OffsetRange(0, 0, 4), new OffsetRange(1, 0, 5)))) {
      assertThatIllegalArgumentException().isThrownBy(() -> new RoundSlices(first));
    }
  }
}
