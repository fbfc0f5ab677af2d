package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.participation.Participation;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.ForwardingLogs;
import dev.sotto.topology.log.MemoryLogs;
import dev.sotto.topology.processor.DirectTrainerProcessor;
import dev.sotto.topology.runtime.StreamsSettings;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a store are there; the topic from which another machine restores it is not. */
class LostHistoriesTest {
  private final LearnerSettings settings = Trial.settings(
      Layout.DIRECT,
      Trial.ONE,
      Trial.plan(2, 4).toBuilder().participation(new Participation.ById()).build());

  @TempDir
  Path folder;

  @Test
  void goesOnWithNoHistoriesThatStandOnOneMachineAlone() {
    assertThatThrownBy(() -> init(false, true))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll("trial-units-changelog was deleted", "sotto reset");
    assertThatCode(() -> init(true, true)).doesNotThrowAnyException();
    assertThatCode(() -> init(false, false)).as("none was saved yet").doesNotThrowAnyException();
  }

  private void init(boolean held, boolean saved) {
    MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>(
        StreamsSettings.of(
            settings, Trial.service(folder, LearnerDriver.BROKERS, LearnerDriver.NO_HURRY)),
        new TaskId(0, 0),
        folder.toFile());
    for (String name : List.of(Names.HEADS, Names.LEARNER, Names.UNITS)) {
      KeyValueStore<String, byte[]> store = Stores.keyValueStoreBuilder(
              Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
          .withLoggingDisabled()
          .build();
      store.init(context.getStateStoreContext(), store);
      if (saved && !name.equals(Names.LEARNER)) {
        store.put("mark/model", new byte[] {1});
      }
      context.addStateStore(store);
    }
    DirectTrainerProcessor trainer = new DirectTrainerProcessor(
        settings,
        new SourceTopics(Trial.EVENTS, "topic-id", 1, "topic-id"),
        new ForwardingLogs(new MemoryLogs()) {
          @Override
          public boolean hasRecords(Map<String, Object> config, String topic, int partition) {
            return held;
          }
        },
        new LearnerStatus(LearnerStatus.MOST_MODELS));
    trainer.init(context);
    trainer.close();
  }
}
