package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.testing.Tier;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/**
 * Of two logs that differ in what one record holds, each has the same order in layout ordered, though
 * they are read in other pieces.
 */
class NeighbouringOrderTest {
  private static final int PARTITIONS = 2;
  private static final int EVENTS = 200;
  private static final int SEEDS = Tier.choose(2, 5);
  private static final int BYTES = 25;
  private static final int FETCH = 3 * BYTES;

  /** The order of all events in one run, and what else happened. */
  private record Ordered(List<SlotOrder.Event> events, FaultyRun.Report report) {}

  /** Nor where instances crash and tasks move, at other moments therefore. */
  @Test
  void aRecordsSizeMovesNoOtherSlot() {
    int readOtherwise = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      for (FaultRates faults : List.of(FaultRates.none(), FaultRates.many(seed))) {
        Ordered small = run(BYTES, faults, seed);
        Ordered large = run(1 << 20, faults, seed);
        assertThat(small.events()).hasSize(PARTITIONS * EVENTS).doesNotHaveDuplicates();
        assertThat(large.events()).isEqualTo(small.events());
        readOtherwise += large.report().equals(small.report()) ? 0 : 1;
      }
    }
    assertThat(readOtherwise).isPositive();
  }

  private static Ordered run(int bytes, FaultRates faults, long seed) {
    InMemoryRecording.Builder made = InMemoryRecording.of(Streams.EVENTS).topicId("topic-id");
    for (int i = 0; i < PARTITIONS * EVENTS; i++) {
      byte[] value = new byte[i == 60 ? bytes : BYTES];
      made.add(i % PARTITIONS, i / PARTITIONS, i, null, value, new RecordHeaders());
    }
    LearnerSettings settings = Streams.settings(Layout.ORDERED, Streams.plan(Streams.FTRL, 16));
    FaultyRun run = new FaultyRun(
            settings, RecordedInput.of(made.build()), new OutputListener() {}, faults, seed)
        .fetches(FETCH);
    FaultyRun.Report report = run.run();
    SlotOrder order = new SlotOrder((partition, from, to, visitor) -> true);
    order.start(OrderPlace.beginning());
    try (RecordCursor cursor = run.order().open(0)) {
      while (cursor.next()) {
        order.add(cursor.offset(), 0, Codecs.ANNOUNCEMENT.decode(cursor.value()));
      }
    }
    List<SlotOrder.Event> events = new ArrayList<>();
    for (long place = 0; place < order.end(); place++) {
      events.add(order.eventAt(place));
    }
    return new Ordered(events, report);
  }
}
