package dev.sotto.testkit;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.LearnerTopology;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.log.Announcing;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.PointLog;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Drives a learner inside somebody's topology with Kafka's TopologyTestDriver, which knows one
 * partition and commits after each record.
 */
final class TopologyDriverRun {
  /** After which the trainer reads on; no more, since the topology's other timers see it too. */
  private static final Duration SOON = Duration.ofMillis(5);

  private static final Duration LATER = Duration.ofMillis(250);
  private static final int MOST_READINGS = 100_000;

  private TopologyDriverRun() {}

  /**
   * What an embedded learner did.
   *
   * @param written what its application's own processors wrote to the event topic
   * @param published what the learner made of it
   */
  record Embedded(TestInput written, CollectedOutputs published) {}

  /**
   * The learner in one topology with processors of one's own.
   *
   * @param own what writes the events
   * @param feed hands over what the own processors read
   */
  static Embedded embedded(SottoConfig config, Topology own, Consumer<TopologyTestDriver> feed) {
    WrittenEvents written = new WrittenEvents(config.learner().eventTopic());
    CollectedOutputs published =
        inFolder(config, own, logs(config.learner().eventTopic(), written::log), driver -> {
          written.of(driver);
          feed.accept(driver);
          written.take();
          return written.end();
        });
    return new Embedded(written.all(), published);
  }

  private static CollectedOutputs inFolder(
      SottoConfig config, Topology own, Logs logs, ToLongFunction<TopologyTestDriver> feed) {
    LearnerSettings settings = config.learner();
    if (settings.layout().sumsParts()) {
      throw new IllegalArgumentException("TopologyTestDriver cannot run layout "
          + settings.layout().configName() + ", whose workers wait for each other");
    }
    if (settings.plan().needsLogTime()) {
      throw new IllegalArgumentException("TopologyTestDriver has no times at which a broker"
          + " appended records, and " + VersionKeys.INTERVAL + " needs them");
    }
    try {
      Path folder = Files.createTempDirectory("sotto-testkit-");
      try {
        return run(settings, moved(config.service(), folder), own, logs, feed);
      } finally {
        Utils.delete(folder.toFile());
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
        new ServiceSettings.FirstStart(
            service.replication(), service.fromLatest(), service.historyHorizon()),
        service.threads(),
        service.transactionTimeout());
  }

  private static CollectedOutputs run(
      LearnerSettings settings,
      ServiceSettings service,
      Topology own,
      Logs logs,
      ToLongFunction<TopologyTestDriver> feed) {
    Properties streams = new Properties();
    streams.putAll(Deployment.of(settings, service).streams());
    SourceTopics source = new SourceTopics(settings.trainingTopic(), "recorded", 1, "recorded");
    LearnerStatus status = new LearnerStatus(LearnerStatus.MOST_MODELS);
    LearnerTopology.addTo(own, settings, source, logs, status);
    try (TopologyTestDriver driver = new TopologyTestDriver(own, streams, Instant.EPOCH)) {
      long end = feed.applyAsLong(driver);
      if (settings.layout().keepsOrder()) {
        byte[] all = Codecs.ANNOUNCEMENT.encode(new Announcement(0, 0, end));
        input(driver, settings.trainingTopic()).pipeInput(all);
      }
      for (int i = 0; status.isBehind(0); i++) { // it reads for a while, the rest behind a commit
        if (i == MOST_READINGS) {
          throw new IllegalStateException(
              "the learner must come to the end of its events, but did not in " + i + " readings");
        }
        driver.advanceWallClockTime(settings.layout().keepsOrder() ? SOON : LATER);
      }
      return published(driver, settings.app());
    }
  }

  private static TestInputTopic<byte[], byte[]> input(TopologyTestDriver driver, String topic) {
    return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static CollectedOutputs published(TopologyTestDriver driver, String app) {
    CollectedOutputs collected = new CollectedOutputs();
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

  /**
   * Nothing was committed before, and what is handed over has no gaps: the ledger is empty, and of
   * records only events are read again, which a block wants, or a trainer that fell behind.
   */
  private static Logs logs(String eventTopic, Function<SourceReading, SlotLog> events) {
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
      public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
        if (topic.equals(eventTopic)) {
          return events.apply(reading);
        }
        return (partition, from, to) -> {
          throw new IllegalStateException("no announcement is to be read again");
        };
      }

      @Override
      public SlotLog events(Map<String, Object> config, String topic, SourceReading reading) {
        return events.apply(reading);
      }

      @Override
      public Announcing announce(
          Map<String, Object> config, Announcing.Topics topics, OrderPlace place) {
        return () -> {}; // the run announces all that there is
      }

      @Override
      public long groupPosition(
          Map<String, Object> config, String group, String topic, int partition) {
        return 0;
      }

      @Override
      public int partitions(Map<String, Object> config, String topic) {
        return 1;
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
}
