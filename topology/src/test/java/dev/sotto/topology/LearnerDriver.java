package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.batch.EventBatch;
import dev.sotto.topology.log.MemoryLogs;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.runtime.StreamsSettings;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Runs the topology of a learner for partition 0, with the settings that a service would give it.
 */
public final class LearnerDriver implements AutoCloseable {
  static final Map<String, String> BROKERS = Map.of("bootstrap.servers", "localhost:1");

  /** A transaction's timeout that no pause of the machine comes near. */
  static final Duration NO_HURRY = Duration.ofHours(1);

  private static final int MOST_PIECES = 1000;

  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> events;
  private final LearnerSettings settings;
  private final LearnerStatus status;
  private final MemoryLogs logs = new MemoryLogs();

  final LedgerChecker checker = new LedgerChecker();
  final SnapshotAssembler assembler = new SnapshotAssembler();
  public final List<byte[]> parts = new ArrayList<>();

  public LearnerDriver(LearnerSettings settings, Path folder, int partitions) {
    this(settings, folder, partitions, Optional.empty());
  }

  /** With copies of what is published. */
  public LearnerDriver(
      LearnerSettings settings, Path folder, int partitions, Optional<RegistryCopies> copies) {
    this(settings, Trial.service(folder, BROKERS, NO_HURRY), partitions, copies);
  }

  /** With settings of a service's own. */
  public LearnerDriver(
      LearnerSettings settings,
      ServiceSettings service,
      int partitions,
      Optional<RegistryCopies> copies) {
    this(
        settings,
        service,
        partitions,
        new TaskWatch(new LearnerStatus(LearnerStatus.MOST_MODELS), copies));
  }

  /** With a status of one's own. */
  public LearnerDriver(
      LearnerSettings settings, ServiceSettings service, int partitions, TaskWatch watch) {
    this.settings = settings;
    this.status = watch.status();
    SourceTopics source =
        new SourceTopics(settings.trainingTopic(), "topic-id", partitions, "event-topic-id");
    Topology topology = new Topology();
    LearnerTopology.addTo(topology, settings, source, logs, watch);
    driver = new TopologyTestDriver(topology, StreamsSettings.of(settings, service), Instant.EPOCH);
    events = driver.createInputTopic(
        settings.eventTopic(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  public void pipe(byte[] key, byte[] value) {
    logs.events.add(new MemoryLogs.Event(key, value, null));
    pipe(new TestRecord<>(key, value));
  }

  public void pipe(byte[] value, long timestamp) {
    logs.events.add(new MemoryLogs.Event(null, value, null));
    pipe(new TestRecord<>(null, value, null, Instant.ofEpochMilli(timestamp)));
  }

  public void pipe(byte[] key, byte[] value, Headers headers) {
    logs.events.add(new MemoryLogs.Event(key, value, null));
    pipe(new TestRecord<>(key, value, headers, Instant.EPOCH));
  }

  /** In layout ordered the trainer reads events itself. */
  private void pipe(TestRecord<byte[], byte[]> event) {
    if (!settings.layout().keepsOrder()) {
      events.pipeInput(event);
    }
  }

  /** A record as it was sent; a time before 1970 is taken for 1970. */
  public record Sent(byte[] key, byte[] value, long timestamp, RecordHeaders headers) {
    /** A value alone. */
    public Sent(byte[] value, long timestamp) {
      this(null, value, timestamp, new RecordHeaders());
    }
  }

  /** A record that came alone. */
  public void pipe(Sent sent) {
    append(sent);
    pipe(sent.key(), sent.value(), sent.timestamp(), sent.headers());
  }

  /** Values of one time that a consumer of ours would hand over together. */
  public void pipeTogether(List<byte[]> values, long timestamp) {
    pipeTogether(values.stream().map(each -> new Sent(each, timestamp)).toList());
  }

  /** Records that a consumer of ours would hand over together. */
  public void pipeTogether(List<Sent> all) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (Sent each : all) {
      records.add(new ConsumerRecord<>(
          settings.eventTopic(),
          0,
          logs.events.size(),
          each.timestamp(),
          TimestampType.CREATE_TIME,
          each.key() == null ? -1 : each.key().length,
          each.value() == null ? -1 : each.value().length,
          each.key(),
          each.value(),
          each.headers(),
          Optional.empty()));
      append(each);
    }
    for (ConsumerRecord<byte[], byte[]> each : EventBatch.batches(records, BatchRule.ANY)) {
      pipe(each.key(), each.value(), each.timestamp(), each.headers());
    }
  }

  private void append(Sent sent) {
    String name = settings.modelIds().header();
    Header model = name == null ? null : sent.headers().lastHeader(name);
    logs.events.add(
        new MemoryLogs.Event(sent.key(), sent.value(), model == null ? null : model.value()));
  }

  private void pipe(byte[] key, byte[] value, long timestamp, Headers headers) {
    Instant time = Instant.ofEpochMilli(Math.max(0, timestamp)); // as our extractors have it
    pipe(new TestRecord<>(key, value, headers, time));
  }

  /** Announces what has come to layout ordered, which reads all of it, in however many pieces. */
  public void announce() {
    if (settings.layout().keepsOrder()) {
      Announcement all = new Announcement(0, 0, logs.events.size());
      driver
          .createInputTopic(
              settings.trainingTopic(), new ByteArraySerializer(), new ByteArraySerializer())
          .pipeInput(Codecs.ANNOUNCEMENT.encode(all));
    }
    for (int i = 0; i < MOST_PIECES && status.isBehind(0); i++) {
      pass(Duration.ofMillis(5));
    }
    assertThat(status.isBehind(0)).isFalse();
  }

  public void pass(Duration time) {
    driver.advanceWallClockTime(time);
  }

  /** What went to a topic since the last call. */
  public List<TestRecord<byte[], byte[]>> take(String topic) {
    TestOutputTopic<byte[], byte[]> output =
        driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    return output.readRecordsToList();
  }

  public List<TestRecord<byte[], byte[]>> takeDeadLetters() {
    return take(Names.deadLetters(settings.app()));
  }

  /** New ledger entries, after the chain has been followed. */
  public List<LedgerEntry> takeLedger() {
    List<LedgerEntry> entries = new ArrayList<>();
    for (var record : take(Names.ledger(settings.app()))) {
      LedgerEntry entry = checker.accept(0, entries.size(), record.value());
      assertThat(text(record.key())).isEqualTo(entry.modelId());
      entries.add(entry);
    }
    assertThat(checker.faults()).isEmpty();
    return entries;
  }

  /** New whole versions; {@link #parts} keeps the bytes of every record behind them. */
  public List<PublishedModel> takeModels() {
    List<PublishedModel> whole = new ArrayList<>();
    for (var record : take(Names.snapshots(settings.app()))) {
      parts.add(record.value());
      assembler.accept(record.key(), record.value()).ifPresent(whole::add);
    }
    assertThat(assembler.damaged()).isZero();
    return whole;
  }

  public static String header(TestRecord<byte[], byte[]> record, String name) {
    return text(record.headers().lastHeader(name).value());
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    driver.close();
  }
}
