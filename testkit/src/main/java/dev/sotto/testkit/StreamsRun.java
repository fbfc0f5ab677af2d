package dev.sotto.testkit;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.Blueprint;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.LearnerTopology;
import dev.sotto.topology.Logs;
import dev.sotto.topology.Names;
import dev.sotto.topology.SequencedDecoder;
import dev.sotto.topology.ServiceSettings;
import dev.sotto.topology.Source;
import dev.sotto.topology.core.LedgerLog;
import dev.sotto.topology.core.PointLog;
import dev.sotto.topology.core.SlotLog;
import dev.sotto.topology.encryption.TopicCipher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;

/** Drives the topology with Kafka's TopologyTestDriver, which knows one partition and commits after each record. */
final class StreamsRun {
  private StreamsRun() {}

  static Collected of(SottoConfig config, Events events) {
    LearnerSettings settings = config.learner();
    if (settings.layout() == Layout.ROUNDS) {
      throw new IllegalArgumentException(
          "TopologyTestDriver cannot run layout rounds, whose workers wait for each other");
    }
    try {
      Path folder = Files.createTempDirectory("sotto-testkit-");
      try {
        return run(settings, moved(config.service(), folder), events);
      } finally {
        delete(folder);
      }
    } catch (IOException unwritable) {
      throw new UncheckedIOException("a temporary folder is needed", unwritable);
    }
  }

  private static ServiceSettings moved(ServiceSettings service, Path folder) {
    Map<String, String> clients = new HashMap<>(service.clients());
    clients.put("bootstrap.servers", "localhost:1"); // never asked
    return new ServiceSettings(
        clients,
        folder,
        service.replication(),
        service.fromLatest(),
        service.historyHorizon(),
        service.threads(),
        service.transactionTimeout());
  }

  private static Collected run(LearnerSettings settings, ServiceSettings service, Events events) {
    Properties streams = new Properties();
    streams.putAll(Blueprint.of(settings, service).streams());
    Source source = new Source(settings.trainingTopic(), "recorded", 1, "recorded");
    try (TopologyTestDriver driver = new TopologyTestDriver(
            LearnerTopology.draw(settings, source, logs()), streams, Instant.EPOCH);
        Recording recording = events.open(settings.eventTopic())) {
      TestInputTopic<byte[], byte[]> input = driver.createInputTopic(
          settings.eventTopic(), new ByteArraySerializer(), new ByteArraySerializer());
      for (RecordedRange range : recording.header().ranges()) {
        pipe(recording, range, input);
      }
      return published(driver, settings.app());
    }
  }

  private static void pipe(
      Recording recording, RecordedRange range, TestInputTopic<byte[], byte[]> input) {
    long next = 0; // the driver counts from 0, without gaps
    try (RecordCursor cursor = recording.open(range.partition())) {
      while (cursor.next()) {
        if (range.partition() != 0 || cursor.offset() != next++) {
          throw new IllegalArgumentException(
              "TopologyTestDriver knows one partition, with offsets from 0 on without gaps; there is a record of partition "
                  + range.partition() + " at offset " + cursor.offset());
        }
        input.pipeInput(new TestRecord<>(
            cursor.key(),
            cursor.value(),
            cursor.headers(),
            Instant.ofEpochMilli(cursor.timestamp())));
      }
    }
  }

  private static Collected published(TopologyTestDriver driver, String app) {
    Collected collected = new Collected();
    take(driver, Names.ledger(app), each -> collected.ledger(0, text(each), each.value()));
    take(driver, Names.snapshots(app), each -> collected.snapshot(0, text(each), each.value()));
    take(driver, Names.metrics(app), each -> collected.metrics(0, text(each), each.value()));
    take(
        driver,
        Names.deadLetters(app),
        each -> collected.deadLetter(new Record<>(
            each.key(), each.value(), each.getRecordTime().toEpochMilli(), each.getHeaders())));
    return collected;
  }

  private static void take(
      TopologyTestDriver driver, String topic, Consumer<TestRecord<byte[], byte[]>> each) {
    driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList()
        .forEach(each);
  }

  private static String text(TestRecord<byte[], byte[]> sent) {
    return new String(sent.key(), StandardCharsets.UTF_8);
  }

  /** Nothing was committed before, and what is handed over has no gaps: only the ledger is looked at, and is empty. */
  private static Logs logs() {
    LedgerLog empty = new LedgerLog() {
      @Override
      public Optional<byte[]> last(int partition) {
        return Optional.empty();
      }

      @Override
      public void read(int partition, long fromSequence, Consumer<byte[]> visitor) {}
    };
    return new Logs() {
      @Override
      public SlotLog slots(Map<String, Object> config, String topic, String modelHeader) {
        return (partition, from, to, visitor) -> {
          throw new IllegalStateException("nothing is to be read again");
        };
      }

      @Override
      public boolean sequenceHolds(
          Map<String, Object> config, String sequence, SequencedDecoder decoder, int partition) {
        return false;
      }

      @Override
      public PointLog points(
          Map<String, Object> config, String control, TopicCipher cipher, String events) {
        throw new IllegalStateException("layout rounds is not driven here");
      }

      @Override
      public LedgerLog ledger(Map<String, Object> config, String topic) {
        return empty;
      }
    };
  }

  private static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }
}
