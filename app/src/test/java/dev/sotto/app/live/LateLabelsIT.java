package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.ReadEnd;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
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
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Labels that come later, on a real broker, to a learner that is killed. */
@Timeout(300)
class LateLabelsIT {
  private static final int EVENTS = 600;
  private static final int EVERY = 5; // milliseconds
  private static final int WAIT = 2_000;
  private static final Map<String, String> STAMPED =
      Map.of("message.timestamp.type", "LogAppendTime");
  private static Cluster cluster;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    cluster = Cluster.embedded();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private Path configuration(String app) throws Exception {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    return Files.writeString(folder.resolve("sotto.yaml"), """
        app.id: %1$s
        bootstrap.servers: %2$s
        layout: direct
        events.topic: %1$s-shown
        events.labels.topic: %1$s-clicked
        events.labels.wait.ms: %3$d
        events.labels.missing: negative
        features.numeric.a.field: a
        features.numeric.a.min: 0
        features.numeric.a.max: 1
        label.field: y
        loss: logistic
        clip.norm: 1
        batch.size: 60
        release.every.slots: 60
        privacy.epsilon: 10
        privacy.delta: 1e-6
        noise.key.file: %4$s
        state.dir: %5$s
        transaction.timeout.ms: 4000
        """.formatted(
            app, cluster.clients().get("bootstrap.servers"), WAIT, key, folder.resolve("state")));
  }

  private static LearnerSettings learner(Path configuration) {
    return SottoConfig.load(ConfigSource.of(configuration).withEnvironment(Map.of()))
        .learner();
  }

  private Process start(Path configuration) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            LateLabelsLearner.class.getName(),
            configuration.toString())
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(folder.resolve("learner.log").toFile()))
        .start();
  }

  /** What is joined is what the two logs say, and what is learned is what was joined. */
  @Test
  void joinsByTheTimesOfTheLogsThroughKills() throws Exception {
    Path configuration = configuration("clicks");
    LearnerSettings learner = learner(configuration);
    cluster.createTopic("clicks-shown", 1, STAMPED);
    cluster.createTopic("clicks-clicked", 1, STAMPED);
    Process process = start(configuration);
    ScheduledExecutorService sender = Executors.newScheduledThreadPool(1);
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of())) {
      Random random = new Random(5);
      for (int i = 0; i < EVENTS; i++) {
        String id = random.nextInt(40) == 0 ? "again" : "id-" + i;
        send(
            sender, producer, i * EVERY, "clicks-shown", id, "{\"a\":" + random.nextDouble() + "}");
        if (random.nextInt(3) > 0) { // from a second too early to a second too late
          int after = random.nextInt(WAIT + 2_000) - 1_000;
          send(sender, producer, i * EVERY + after, "clicks-clicked", id, "{\"y\":1}");
        }
      }
      for (int kills = 0; kills < 2; kills++) {
        long before = labelled(learner).size();
        Process victim = process;
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> labelled(learner).size() > before || !victim.isAlive());
        assertThat(victim.isAlive())
            .as(Files.readString(folder.resolve("learner.log")))
            .isTrue();
        process.destroyForcibly().waitFor();
        process = start(configuration);
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(90))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> published(learner) == EVENTS / 60);
    } finally {
      process.destroy();
      process.waitFor(30, TimeUnit.SECONDS);
      sender.shutdownNow();
    }
    List<byte[]> joined = labelled(learner);
    assertThat(joined).hasSize(EVENTS);
    EnumSet<LabelledEvent.Join> all = EnumSet.noneOf(LabelledEvent.Join.class);
    joined.forEach(each -> all.add(LabelledEvent.decode(each).join()));
    assertThat(all)
        .contains(
            LabelledEvent.Join.LABELLED, LabelledEvent.Join.MISSING, LabelledEvent.Join.REPEATED);
    FaultyRun pure = new FaultyRun(
        learner,
        RecordedInput.of(recorded("clicks-shown")).labels(learner, recorded("clicks-clicked")),
        new OutputListener() {},
        FaultRates.none(),
        1);
    pure.run();
    assertThat(joined).containsExactlyElementsOf(values(pure.labelled()));
    Verification verification = new Verification(
        learner,
        recorded(learner.eventTopic()),
        new PublishedTopics(cluster.clients(), learner.app(), ""));
    assertThat(verification.run().outcome()).isEqualTo(Outcome.EQUAL);
  }

  /** A label that was appended counts as read once it is known what becomes of it. */
  @Test
  void aLogIsReadToItsEndWhenNothingOpenStandsBehind() {
    cluster.createTopic("ends", 1, STAMPED);
    KafkaLogs logs = new KafkaLogs(Duration.ofSeconds(10));
    try (ReadEnd end = logs.end(new HashMap<>(cluster.clients()), "ends");
        KafkaProducer<byte[], byte[]> producer =
            cluster.producer(Map.of("transactional.id", "ends"))) {
      assertThat(end.readBefore(0, 0, 1_000, 900)).isEqualTo(1_000);
      assertThat(end.readBefore(0, 0, 1_000, 1_001)).isEqualTo(ReadEnd.THERE_IS_MORE);
      producer.initTransactions();
      producer.beginTransaction();
      Cluster.get(producer.send(new ProducerRecord<>("ends", bytes("{}"))));
      assertThat(end.readBefore(0, 0, 1_000, 900)).as("open").isEqualTo(ReadEnd.THERE_IS_MORE);
      producer.abortTransaction();
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .untilAsserted(
              () -> assertThat(end.readBefore(0, 0, 1_000, 900)).as("aborted").isEqualTo(1_000));
      producer.beginTransaction();
      Cluster.get(producer.send(new ProducerRecord<>("ends", bytes("{}"))));
      producer.commitTransaction();
      assertThat(end.readBefore(0, 2, 1_000, 900)).isEqualTo(ReadEnd.THERE_IS_MORE);
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .untilAsserted(
              () -> assertThat(end.readBefore(0, 3, 1_000, 900)).as("behind it").isEqualTo(1_000));
    }
  }

  @Test
  void refusesTopicsThatDoNotGoTogether() throws Exception {
    Path configuration = configuration("apart");
    cluster.createTopic("apart-shown", 1, STAMPED);
    requireRefused(configuration, "the topic of labels apart-clicked does not exist");
    cluster.createTopic("apart-clicked", 2, STAMPED);
    requireRefused(
        configuration,
        "the topic of labels apart-clicked must have as many partitions as apart-shown, which has 1,"
            + " but has 2");
    cluster.alterTopic("apart-shown", "message.timestamp.type", "CreateTime");
    requireRefused(
        configuration,
        "events.labels.topic needs message.timestamp.type=LogAppendTime on the topic apart-shown");
  }

  private static void requireRefused(Path configuration, String why) {
    SottoConfig config = SottoConfig.load(ConfigSource.of(configuration).withEnvironment(Map.of()));
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      assertThatThrownBy(service::start).hasMessageContaining(why);
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

  private static List<byte[]> labelled(LearnerSettings learner) {
    return cluster.topics().contains(learner.eventTopic())
        ? values(recorded(learner.eventTopic()))
        : List.of();
  }

  private static long published(LearnerSettings learner) {
    return Published.read(cluster.clients(), Names.ledger(learner.app())).size();
  }

  private static List<byte[]> values(Recording recording) {
    List<byte[]> all = new ArrayList<>();
    try (RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        all.add(cursor.value());
      }
    }
    return all;
  }

  private static Recording recorded(String topic) {
    InMemoryRecording.Builder made = InMemoryRecording.of(topic).partition(0, 0);
    try (CommittedTopic all = new CommittedTopic(cluster.clients(), topic)) {
      all.readToEnd(each ->
          made.add(0, each.offset(), each.timestamp(), each.key(), each.value(), each.headers()));
    }
    return made.build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
