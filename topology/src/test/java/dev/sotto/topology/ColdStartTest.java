package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sotto.testing.Seed;
import dev.sotto.topology.log.MemoryLogs;
import dev.sotto.topology.processor.DirectTrainerProcessor;
import dev.sotto.topology.processor.TrainerProcessor;
import dev.sotto.topology.runtime.StreamsSettings;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.status.ModelStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams initialises the same processor again after a corrupted task: nothing on the heap may
 * survive that.
 */
class ColdStartTest {
  private static final int DIMENSION = 3;
  private static final int BATCH = 5;
  private static final int EVENTS = 42;

  @TempDir
  Path folder;

  private final MemoryLogs logs = new MemoryLogs();
  private final LearnerSettings settings =
      Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(DIMENSION, BATCH));
  private final LearnerStatus status = new LearnerStatus(1);
  private final TrainerProcessor trainer = new DirectTrainerProcessor(
      settings, new SourceTopics(Trial.EVENTS, "topic-id", 1, "topic-id"), logs, status);

  private Map<String, Map<String, byte[]>> saved = new HashMap<>();
  private MockProcessorContext<byte[], byte[]> context;
  private int offset;

  ColdStartTest() {
    Random random = Seed.random(1);
    for (int i = 0; i < EVENTS; i++) {
      logs.events.add(new MemoryLogs.Event(null, Trial.event(random, DIMENSION), null));
    }
  }

  /** What Streams does: stores as of the last commit, then init. */
  private void init(int from) {
    Properties config = StreamsSettings.of(
        settings, Trial.service(folder, LearnerDriver.BROKERS, LearnerDriver.NO_HURRY));
    context = new MockProcessorContext<>(config, new TaskId(0, 0), folder.toFile());
    for (String name : List.of(Names.HEADS, Names.LEARNER)) {
      KeyValueStore<String, byte[]> store = Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
          .withLoggingDisabled()
          .build();
      store.init(context.getStateStoreContext(), store);
      saved.getOrDefault(name, Map.of()).forEach(store::put);
      context.addStateStore(store);
    }
    trainer.init(context);
    offset = from;
  }

  private void processUntil(int end) {
    for (; offset < end; offset++) {
      context.setRecordMetadata(Trial.EVENTS, 0, offset);
      trainer.process(new Record<>(null, logs.events.get(offset).value(), 0));
    }
  }

  /** Commits stores and outputs; returns what was published. */
  private List<String> commit() {
    saved = new HashMap<>();
    for (String name : List.of(Names.HEADS, Names.LEARNER)) {
      Map<String, byte[]> copy = new HashMap<>();
      KeyValueStore<String, byte[]> store = context.getStateStore(name);
      try (var all = store.all()) {
        all.forEachRemaining(each -> copy.put(each.key, each.value));
      }
      saved.put(name, copy);
    }
    List<String> published = new ArrayList<>();
    for (var forward : context.forwarded()) {
      String sink = forward.childName().orElseThrow();
      if (sink.equals(Names.TO_LEDGER)) {
        logs.ledger.add(forward.record().value());
      }
      published.add(sink + " " + HexFormat.of().formatHex(forward.record().value()));
    }
    context.resetForwards();
    return published;
  }

  private List<String> undisturbed() {
    init(0);
    processUntil(EVENTS);
    List<String> published = commit();
    saved = new HashMap<>();
    logs.ledger.clear();
    return published;
  }

  @Test
  void forgetsEverythingThatWasNotCommitted() {
    List<String> expected = undisturbed();
    init(0);
    processUntil(12);
    final List<String> published = commit();
    processUntil(19); // a round and a half that nobody will ever see
    init(12);
    processUntil(EVENTS);
    published.addAll(commit());
    assertThat(published).isEqualTo(expected);
    assertThat(logs.reread).isEqualTo(2); // the slots of the open round below the group's offset
  }

  @Test
  void derivesTheSameAgainWhenTheStoresWereWiped() {
    List<String> expected = undisturbed();
    init(0);
    processUntil(23);
    final List<String> published = commit();
    saved = new HashMap<>();
    init(23);
    processUntil(EVENTS);
    published.addAll(commit());
    assertThat(published).isEqualTo(expected);
    assertThat(logs.reread).isEqualTo(23);
  }

  @Test
  void startsAtGenesisWhenNothingWasEverCommitted() {
    List<String> expected = undisturbed();
    init(0);
    processUntil(8);
    init(0);
    processUntil(EVENTS);
    assertThat(commit()).isEqualTo(expected);
    assertThat(logs.reread).isZero();
  }

  @Test
  void tellsTheRoundsOfItsStateBeforeAnyRecordComes() {
    init(0);
    assertThat(status.models()).isEmpty();
    processUntil(12);
    commit();
    init(12);
    assertThat(status.models())
        .extracting(ModelStatus::modelId, ModelStatus::round)
        .containsExactly(tuple("model", 2L));
    processUntil(19); // closes a round, in a transaction that has not committed
    assertThat(status.models()).extracting(ModelStatus::round).containsExactly(2L);
    trainer.close();
    assertThat(status.models()).isEmpty();
  }
}
