package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.testbroker.ChildProcess;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

/** A learner of labels that come later, in a process that is killed. */
final class LateLabelsTrial {
  /** A broker that misses a killed process after two seconds. */
  static final Map<String, String> BROKER = Map.of(
      "group.min.session.timeout.ms", "1000",
      "transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");

  static final Map<String, String> STAMPED = Map.of("message.timestamp.type", "LogAppendTime");

  static final int BATCH = 60;
  private static final int EVERY = 5; // milliseconds
  private static final int WAIT = 2_000;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final Cluster cluster;
  private final Path folder;
  private final String app;
  private final Path file;
  private int partitions = 1;

  LateLabelsTrial(Cluster cluster, Path folder, String app, String more) throws Exception {
    this.cluster = cluster;
    this.folder = folder;
    this.app = app;
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    this.file = Files.writeString(
        folder.resolve("sotto.yaml"),
        """
        app.id: %1$s
        bootstrap.servers: %2$s
        events.topic: %1$s-shown
        events.labels.topic: %1$s-clicked
        events.labels.missing: negative
        features.numeric.a.field: a
        features.numeric.a.min: 0
        features.numeric.a.max: 1
        label.field: y
        loss: logistic
        clip.norm: 1
        batch.size: %3$d
        release.every.slots: %3$d
        privacy.epsilon: 10
        privacy.delta: 1e-6
        noise.key.file: %4$s
        state.dir: %5$s
        transaction.timeout.ms: 4000
        kafka.consumer.session.timeout.ms: 2000
        kafka.consumer.heartbeat.interval.ms: 500
        """.formatted(
                    app,
                    cluster.clients().get("bootstrap.servers"),
                    BATCH,
                    key,
                    folder.resolve("state"))
            + (more.contains("wait.ms") ? "" : "events.labels.wait.ms: " + WAIT + "\n")
            + more);
  }

  /** Changes a setting that was given. */
  void set(String key, Object value) throws Exception {
    String text = Files.readString(file);
    Files.writeString(file, text.replaceAll(key + ": .*", key + ": " + value));
  }

  SottoConfig config() {
    return SottoConfig.load(ConfigSource.of(file).withEnvironment(Map.of()));
  }

  LearnerSettings learner() {
    return config().learner();
  }

  String shown() {
    return app + "-shown";
  }

  String clicked() {
    return app + "-clicked";
  }

  void createTopics(int count) {
    partitions = count;
    cluster.createTopic(shown(), partitions, STAMPED);
    cluster.createTopic(clicked(), partitions, STAMPED);
  }

  /** How many the topics have from now on. */
  void partitions(int count) {
    partitions = count;
  }

  Process start(String heap) throws Exception {
    return ChildProcess.of(heap, LateLabelsLearner.class.getName(), file.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  Path log() {
    return folder.resolve("learner.log");
  }

  /** What is joined is what the two logs say, whatever is killed meanwhile. */
  void joinThroughKills(int events, int count, int most) throws Exception {
    createTopics(count);
    Process process = start("-Xmx256m");
    ScheduledExecutorService sender = Executors.newScheduledThreadPool(1);
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of())) {
      Random random = Seed.random(5);
      for (int i = 0; i < events; i++) {
        String id = random.nextInt(40) == 0 ? "again" : "id-" + i;
        send(sender, producer, i * EVERY, shown(), id, "{\"a\":" + random.nextDouble() + "}");
        if (random.nextInt(3) > 0) { // from a second too early to a second too late
          int after = random.nextInt(WAIT + 2_000) - 1_000;
          send(sender, producer, i * EVERY + after, clicked(), id, "{\"y\":1}");
        }
      }
      for (int kills = 0; kills < most; kills++) {
        long before = labelled().size();
        Process victim = process;
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> labelled().size() > before || !victim.isAlive());
        assertThat(victim.isAlive()).as(Files.readString(log())).isTrue();
        process.destroyForcibly().waitFor();
        process = start("-Xmx256m");
      }
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(300))
          .until(() -> labelled().size() == events && published() >= events / BATCH);
    } finally {
      process.destroy();
      process.waitFor(30, TimeUnit.SECONDS);
      sender.shutdownNow();
    }
    EnumSet<LabelledEvent.Join> all = EnumSet.noneOf(LabelledEvent.Join.class);
    labelled().forEach(each -> all.add(LabelledEvent.decode(each).join()));
    assertThat(all)
        .contains(
            LabelledEvent.Join.LABELLED, LabelledEvent.Join.MISSING, LabelledEvent.Join.REPEATED);
    FaultyRun pure = new FaultyRun(
        learner(),
        RecordedInput.of(recorded(shown())).labels(learner(), recorded(clicked())),
        new OutputListener() {},
        FaultRates.none(),
        1);
    pure.run();
    for (int partition = 0; partition < count; partition++) {
      assertThat(values(recorded(learner().eventTopic()), partition))
          .as("partition %d", partition)
          .containsExactlyElementsOf(values(pure.labelled(), partition));
    }
  }

  private static void send(
      ScheduledExecutorService sender,
      KafkaProducer<byte[], byte[]> producer,
      int at,
      String topic,
      String key,
      String value) {
    sender.schedule(
        () -> producer.send(new ProducerRecord<>(topic, bytes(key), bytes(value))),
        at + 1_000,
        TimeUnit.MILLISECONDS);
  }

  /** Of all partitions. */
  List<byte[]> labelled() {
    List<byte[]> all = new ArrayList<>();
    if (cluster.topics().contains(learner().eventTopic())) {
      Recording recording = recorded(learner().eventTopic());
      for (RecordedRange range : recording.header().ranges()) {
        all.addAll(values(recording, range.partition()));
      }
    }
    return all;
  }

  /** Versions. */
  long published() {
    return Published.read(cluster.clients(), Names.ledger(app)).size();
  }

  private static List<byte[]> values(Recording recording, int partition) {
    List<byte[]> all = new ArrayList<>();
    try (RecordCursor cursor = recording.open(partition)) {
      while (cursor.next()) {
        all.add(cursor.value());
      }
    }
    return all;
  }

  Recording recorded(String topic) {
    return recorded(topic, partitions);
  }

  /** The order of the slots, in layout ordered. */
  Recording order() {
    return recorded(Names.order(app), 1);
  }

  /** The users' events in the order of the slots, in layout ordered. */
  List<LabelledEvent.Source> sourcesInOrder() {
    Map<SlotOrder.Event, LabelledEvent.Source> sources = new HashMap<>();
    Recording joined = recorded(learner().eventTopic());
    for (int partition = 0; partition < partitions; partition++) {
      try (RecordCursor cursor = joined.open(partition)) {
        while (cursor.next()) {
          sources.put(
              new SlotOrder.Event(partition, cursor.offset()),
              LabelledEvent.decode(cursor.value()).source());
        }
      }
    }
    SlotOrder order = new SlotOrder((partition, from, to) -> SlotLog.Reading.nothing());
    order.start(OrderPlace.beginning());
    try (RecordCursor cursor = order().open(0)) {
      while (cursor.next()) {
        order.add(cursor.offset(), 0, Codecs.ANNOUNCEMENT.decode(cursor.value()));
      }
    }
    return LongStream.range(0, order.end())
        .mapToObj(order::eventAt)
        .map(sources::get)
        .filter(Objects::nonNull) // markers of the join's transactions
        .toList();
  }

  /** Up to the committed ends, behind the markers of transactions. */
  private Recording recorded(String topic, int count) {
    InMemoryRecording.Builder made = InMemoryRecording.of(topic);
    long[] next = new long[count];
    for (int partition = 0; partition < count; partition++) {
      made.partition(partition, 0);
    }
    try (CommittedTopic all = new CommittedTopic(cluster.clients(), topic)) {
      all.readToEnd(each -> {
        made.add(
            each.partition(),
            each.offset(),
            each.timestamp(),
            each.key(),
            each.value(),
            each.headers());
        next[each.partition()] = each.offset() + 1;
      });
    }
    try (PartitionReader reader =
        new PartitionReader(cluster.clients(), PartitionReader.COMMITTED)) {
      for (int partition = 0; partition < count; partition++) {
        made.skip(partition, reader.end(new TopicPartition(topic, partition)) - next[partition]);
      }
    }
    return made.build();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
