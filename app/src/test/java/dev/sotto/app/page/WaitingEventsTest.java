package dev.sotto.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.page.WaitingEvents.Partition;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitingEventsTest {
  @Test
  void countsFromTheLedgerToTheEnd() {
    WaitingEvents waiting = WaitingEvents.of(
        Map.of(0, 100L, 1, 60L, 2, 30L), Map.of(0, 90L, 1, 60L), Map.of(0, 5L, 2, 10L));
    assertThat(waiting.events()).isEqualTo(30);
    assertThat(waiting.partitions())
        .containsExactly(new Partition(2, 20), new Partition(0, 10), new Partition(1, 0));
  }

  /** Ends that were looked up before the newest version came say nothing. */
  @Test
  void saysNothingWhereVersionsCoverMoreThanTheEndsThatAreKnown() {
    assertThat(WaitingEvents.of(Map.of(0, 100L, 1, 50L), Map.of(0, 90L, 1, 60L), Map.of()))
        .isNull();
  }

  @Test
  void leavesOutWhatItDoesNotKnow() {
    assertThat(WaitingEvents.of(Map.of(), Map.of(0, 3L), Map.of())).isNull();
    assertThat(WaitingEvents.of(Map.of(0, 100L), Map.of(), Map.of())).isNull();
    assertThat(WaitingEvents.of(Map.of(0, 100L, 1, 9L), Map.of(1, 4L), Map.of()).events())
        .isEqualTo(5);
  }

  @Test
  void namesABoundedNumberOfPartitions() {
    Map<Integer, Long> ends =
        LongStream.range(0, 1_000).boxed().collect(Collectors.toMap(Long::intValue, each -> each));
    WaitingEvents waiting = WaitingEvents.of(
        ends, Map.of(), ends.keySet().stream().collect(Collectors.toMap(each -> each, each -> 0L)));
    assertThat(waiting.events()).isEqualTo(999 * 500);
    assertThat(waiting.partitions()).hasSize(WaitingEvents.PARTITIONS);
    assertThat(waiting.partitions().get(0)).isEqualTo(new Partition(999, 999));
  }
}
