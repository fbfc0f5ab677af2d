package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.testing.Tier;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
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

  /** Nor where a join reads the events first, a backlog of them, in turns that bytes end. */
  @Test
  void aRecordsSizeMovesNoOtherSlotBehindAJoin() {
    int joinedOtherwise = 0;
    for (long seed = 0; seed < 2 * SEEDS; seed++) {
      for (FaultRates faults : List.of(FaultRates.none(), FaultRates.many(seed))) {
        Joined small = joined(BYTES, faults, seed);
        Joined large = joined(1 << 20, faults, seed);
        assertThat(small.events()).hasSize(PARTITIONS * EVENTS).doesNotHaveDuplicates();
        assertThat(large.events()).isEqualTo(small.events());
        joinedOtherwise += large.report().equals(small.report()) ? 0 : 1;
      }
    }
    assertThat(joinedOtherwise).isPositive();
  }

  /** The order of all events in one run, by their places in the users' topic. */
  private record Joined(List<SlotOrder.Event> events, FaultyRun.Report report) {}

  private static Joined joined(int bytes, FaultRates faults, long seed) {
    InMemoryRecording.Builder events = InMemoryRecording.of("shown").topicId("topic-id");
    InMemoryRecording.Builder labels = InMemoryRecording.of("clicked");
    for (int i = 0; i < PARTITIONS * EVENTS; i++) {
      byte[] id = ("id-" + i).getBytes(StandardCharsets.UTF_8);
      byte[] value = new byte[i == 60 ? bytes : BYTES];
      int partition = i / 7 % 3 == 0 ? 0 : i % PARTITIONS;
      events.add(partition, i, 1_000 + 9 * i, id, value, new RecordHeaders());
      labels.add(partition, i, 1_020 + 9 * i, id, new byte[BYTES], new RecordHeaders());
    }
    LearnerSettings settings = Streams.settings(Layout.ORDERED, Streams.plan(Streams.FTRL, 16))
        .with(Optional.of(new LateLabels(
            "shown",
            "clicked",
            Optional.empty(),
            Duration.ofMillis(40),
            LateLabels.GRACE,
            OptionalLong.empty())));
    RecordedInput input = RecordedInput.of(events.build()).labels(settings, labels.build());
    FaultyRun run =
        new FaultyRun(settings, input, new OutputListener() {}, faults, seed).fetches(FETCH);
    FaultyRun.Report report = run.run();
    Map<SlotOrder.Event, SlotOrder.Event> sources = new HashMap<>();
    Recording labelled = run.labelled();
    for (int i = 0; i < PARTITIONS; i++) {
      try (RecordCursor cursor = labelled.open(i)) {
        while (cursor.next()) {
          sources.put(
              new SlotOrder.Event(i, cursor.offset()),
              new SlotOrder.Event(i, LabelledEvent.offset(cursor.value())));
        }
      }
    }
    List<SlotOrder.Event> all = order(run).stream()
        .map(sources::get)
        .filter(Objects::nonNull) // markers of the join's transactions
        .toList();
    return new Joined(all, report);
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
    return new Ordered(order(run), report);
  }

  private static List<SlotOrder.Event> order(FaultyRun run) {
    SlotOrder order = new SlotOrder((partition, from, to) -> SlotLog.Reading.nothing());
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
    return events;
  }
}
