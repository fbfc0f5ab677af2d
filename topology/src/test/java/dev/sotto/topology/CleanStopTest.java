package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testing.Seed;
import dev.sotto.topology.log.ForwardingLogs;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.MemoryLogs;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.processor.TrainerProcessor;
import dev.sotto.topology.runtime.StreamsSettings;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * State is written far more seldom than versions are published; behind a clean stop nothing that
 * was learned is read again, so retention may have taken it. StopOfRoundsTest has layout rounds.
 */
class CleanStopTest {
  private static final int DIMENSION = 3;
  private static final int BATCH = 5;
  private static final int EVENTS = 42;
  private static final int STOP = 33; // within a round, behind six versions
  private static final int MOST_PIECES = 1000;

  @TempDir
  Path folder;

  private final MemoryLogs logs = new MemoryLogs();
  private final List<byte[]> announced = new ArrayList<>();
  private final LearnerStatus status = new LearnerStatus(1);
  private final Map<String, KeyValueStore<String, byte[]>> stores = new HashMap<>();
  private final List<String> ledger = new ArrayList<>();
  private LearnerSettings settings;
  private TrainerProcessor trainer;
  private MockProcessorContext<byte[], byte[]> context;

  CleanStopTest() {
    Random random = Seed.random(1);
    for (int i = 0; i < EVENTS; i++) {
      logs.events.add(new MemoryLogs.Event(null, Trial.event(random, DIMENSION), null));
    }
  }

  private void learnIn(Layout layout) {
    settings = Trial.settings(
        layout,
        Trial.ONE,
        Trial.plan(DIMENSION, BATCH),
        new Cadence(200_000, Duration.ofMinutes(1), 1_000));
    SourceTopics source = new SourceTopics(settings.trainingTopic(), "topic-id", 1, "topic-id");
    trainer =
        (TrainerProcessor) LearnerTopology.subtopologies(settings, source, logs(layout), status)
            .get(0)
            .processor()
            .get();
  }

  /** In layout ordered the trainer reads the events' topic, and that of the order. */
  private Logs logs(Layout layout) {
    return layout == Layout.DIRECT ? logs : new OrderedLogs(logs, announced);
  }

  private static final class OrderedLogs extends ForwardingLogs {
    private final List<byte[]> announced;

    OrderedLogs(MemoryLogs logs, List<byte[]> announced) {
      super(logs);
      this.announced = announced;
    }

    @Override
    public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
      return (partition, from, to) -> SlotLog.Reading.of(LongStream.range(from, to)
          .mapToObj(at -> SourceRecord.of(at, null, announced.get((int) at)))
          .iterator());
    }
  }

  /** Streams starts a task, with the stores of before. */
  private void init() {
    Properties config = StreamsSettings.of(
        settings, Trial.service(folder, LearnerDriver.BROKERS, LearnerDriver.NO_HURRY));
    context = new MockProcessorContext<>(config, new TaskId(0, 0), folder.toFile());
    for (String name : List.of(Names.HEADS, Names.LEARNER)) {
      Map<String, byte[]> before = new HashMap<>();
      if (stores.containsKey(name)) {
        try (var all = stores.get(name).all()) {
          all.forEachRemaining(each -> before.put(each.key, each.value));
        }
      }
      KeyValueStore<String, byte[]> store = Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
          .withLoggingDisabled()
          .build();
      store.init(context.getStateStoreContext(), store);
      before.forEach(store::put);
      context.addStateStore(store);
      stores.put(name, store);
    }
    trainer.init(context);
  }

  /** Hands events over, or announces them. */
  private void process(int from, int to) {
    if (settings.layout() == Layout.DIRECT) {
      for (int offset = from; offset < to; offset++) {
        context.setRecordMetadata(Trial.EVENTS, 0, offset);
        trainer.process(new Record<>(null, logs.events.get(offset).value(), 0));
      }
    } else {
      byte[] all = Codecs.ANNOUNCEMENT.encode(new Announcement(0, 0, to));
      context.setRecordMetadata(settings.trainingTopic(), 0, announced.size());
      announced.add(all);
      trainer.process(new Record<>(null, all, 0));
      for (int i = 0; i < MOST_PIECES && status.isBehind(0); i++) {
        pass();
      }
      assertThat(status.isBehind(0)).isFalse();
    }
    commit();
  }

  private void commit() {
    for (var forward : context.forwarded()) {
      if (forward.childName().orElseThrow().equals(Names.TO_LEDGER)) {
        logs.ledger.add(forward.record().value());
        ledger.add(HexFormat.of().formatHex(forward.record().value()));
      }
    }
    context.resetForwards();
  }

  /** Wall-clock time passes: punctuators below a second are called. */
  private void pass() {
    context.scheduledPunctuators().stream()
        .filter(each -> !each.cancelled() && each.getInterval().toMillis() < 1_000)
        .forEach(each -> each.getPunctuator().punctuate(0));
    commit();
  }

  private long stored() {
    byte[] head = stores.get(Names.HEADS).get("partition");
    return Codecs.PARTITION_HEAD.decode(head).position();
  }

  /** Retention takes what was learned. */
  private void trim() {
    Collections.fill(logs.events.subList(0, STOP), null);
  }

  private List<String> undisturbed(Layout layout) {
    CleanStopTest whole = new CleanStopTest();
    whole.folder = folder;
    whole.learnIn(layout);
    whole.init();
    whole.process(0, EVENTS);
    return whole.ledger;
  }

  /**
   * In layout ordered all is read from the log, so what is read once there is the rest; and what
   * was announced together is written together.
   */
  @ParameterizedTest
  @CsvSource({"DIRECT, 0, 40", "ORDERED, 9, 42"})
  void aCleanStopLeavesNothingToBeReadAgain(Layout layout, long read, long last)
      throws InterruptedException {
    learnIn(layout);
    status.threads().stop().expect();
    init();
    process(0, STOP);
    assertThat(ledger).hasSize(6);
    assertThat(stored()).as("versions are ahead of the state").isZero();
    pass();
    assertThat(stored()).as("nobody asks").isZero();
    assertThat(status.threads().stop().ask(Duration.ZERO)).isFalse();
    pass();
    assertThat(stored()).isEqualTo(STOP);
    assertThat(status.threads().stop().ask(Duration.ZERO)).isTrue();
    trainer.close();
    trim();

    logs.reread = 0;
    init();
    process(STOP, EVENTS);
    assertThat(logs.reread).isEqualTo(read);
    assertThat(ledger).isEqualTo(undisturbed(layout));
    assertThat(stored())
        .as("while it is to stop, each version is written at once")
        .isEqualTo(last);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ORDERED"})
  void withoutItTheLogIsReadAgain(Layout layout) {
    learnIn(layout);
    init();
    process(0, STOP);
    trainer.close();
    trim();
    init();
    assertThatThrownBy(() -> process(STOP, EVENTS)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void asksForNoTimeWhereNothingPublishedIsUnsaved() {
    learnIn(Layout.DIRECT);
    status.threads().stop().expect();
    init();
    int before = context.scheduledPunctuators().size();
    process(0, BATCH - 1);
    assertThat(context.scheduledPunctuators()).hasSize(before);
    process(BATCH - 1, BATCH);
    assertThat(context.scheduledPunctuators()).hasSize(before + 1);
    context.scheduledPunctuators().stream()
        .filter(each -> each.getInterval().toMillis() >= 1_000)
        .forEach(each -> each.getPunctuator().punctuate(0)); // the checkpoint once a minute
    pass();
    assertThat(context.scheduledPunctuators().get(before).cancelled()).isTrue();
    assertThat(stored()).isEqualTo(BATCH);
  }
}
