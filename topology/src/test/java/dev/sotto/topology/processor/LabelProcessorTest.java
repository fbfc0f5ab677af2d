package dev.sotto.topology.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.Trial;
import dev.sotto.topology.label.WaitingBytes;
import dev.sotto.topology.log.ForwardingLogs;
import dev.sotto.topology.log.MemoryLogs;
import dev.sotto.topology.log.ReadEnd;
import dev.sotto.topology.runtime.StreamsSettings;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelProcessorTest {
  private static final long WAIT = 60_000;
  private static final long HALF_A_SECOND = 500;
  private static final long BEGIN = 1_000_000;

  private final LateLabels labels = new LateLabels(
      "shown",
      "clicked",
      Optional.empty(),
      Duration.ofMillis(WAIT),
      Duration.ofSeconds(5),
      OptionalLong.of(1 << 20));

  @TempDir
  Path folder;

  /** Its timer makes Streams commit, and since when there was no commit is seen by everybody. */
  @Test
  void looksAtTheClockWhateverALabelHolds() {
    List<String> used = looks("{\"y\":1}".getBytes(StandardCharsets.UTF_8));
    assertThat(looks(null)).isEqualTo(used);
    assertThat(used.get(0)).as("not for ever").isEqualTo("[true]");
    assertThat(used.get(used.size() - 1)).isEqualTo("[true, true]");
  }

  /**
   * At a quiet time comes a label without an event, and nothing more for a long time.
   *
   * @return before it, and after each half of a second, which timers have been cancelled
   */
  private List<String> looks(byte[] label) {
    MockProcessorContext<byte[], byte[]> context = context();
    LabelProcessor processor = processor();
    processor.init(context);
    for (int i = 0; i < 10 * WAIT / HALF_A_SECOND; i++) {
      pass(context);
    }
    List<String> looks = new ArrayList<>(List.of(timers(context)));
    context.setRecordMetadata("clicked", 0, 0);
    processor.process(new Record<>(new byte[1], label, context.currentSystemTimeMs()));
    for (int i = 0; i < 10 * WAIT / HALF_A_SECOND; i++) {
      pass(context);
      looks.add(timers(context));
    }
    processor.close();
    return looks;
  }

  private static void pass(MockProcessorContext<byte[], byte[]> context) {
    context.setCurrentSystemTimeMs(context.currentSystemTimeMs() + HALF_A_SECOND);
    for (CapturedPunctuator each : List.copyOf(context.scheduledPunctuators())) {
      if (!each.cancelled()) {
        each.getPunctuator().punctuate(context.currentSystemTimeMs());
      }
    }
  }

  private static String timers(MockProcessorContext<byte[], byte[]> context) {
    return context.scheduledPunctuators().stream()
        .map(CapturedPunctuator::cancelled)
        .toList()
        .toString();
  }

  private LabelProcessor processor() {
    LearnerSettings plain = Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(2, 4));
    LearnerSettings settings = new LearnerSettings(
        plain.app(),
        plain.layout(),
        new LearnerSettings.Events(
            Names.labelled(plain.app()),
            Trial.ONE,
            plain.events().decoders(),
            Optional.of(labels),
            Optional.empty()),
        plain.run(),
        plain.cadence());
    return new LabelProcessor(
        settings,
        labels,
        new ForwardingLogs(new MemoryLogs()) {
          @Override
          public ReadEnd end(Map<String, Object> config, String topic) {
            return (partition, offset, now, wanted) ->
                wanted > now ? ReadEnd.THERE_IS_MORE : now; // everything has been read
          }
        },
        new WaitingBytes(labels.most()));
  }

  private MockProcessorContext<byte[], byte[]> context() {
    MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>(
        StreamsSettings.of(
            Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(2, 4)),
            Trial.service(folder, Map.of("bootstrap.servers", "localhost:1"))),
        new TaskId(0, 0),
        folder.toFile());
    context.setCurrentSystemTimeMs(BEGIN);
    KeyValueStore<String, byte[]> store = Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(Names.JOINS), Serdes.String(), Serdes.ByteArray())
        .withLoggingDisabled()
        .build();
    store.init(context.getStateStoreContext(), store);
    context.addStateStore(store);
    return context;
  }
}
