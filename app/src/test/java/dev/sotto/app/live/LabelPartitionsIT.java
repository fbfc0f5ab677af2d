package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.app.preflight.Preflight;
import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.app.preflight.PreflightFindings;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions that are added to the topics of events and of the labels that come later. */
class LabelPartitionsIT {
  private static final int EVENTS = 240; // of each half, before and after
  /** Lets an event and its label be further apart, as they are sent by a machine that is busy. */
  private static final String PATIENT = "events.labels.wait.ms: 8000";

  private static Cluster cluster;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    EmbeddedBroker broker =
        EmbeddedBroker.start(BrokerSettings.temporary().withProperties(LateLabelsTrial.BROKER));
    cluster = new Cluster(broker.bootstrapServers(), broker::close);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private LateLabelsTrial trial(String app, String layout) throws Exception {
    LateLabelsTrial trial = new LateLabelsTrial(
        cluster, folder, app, "layout: " + layout + "\nkafka.metadata.max.age.ms: 1000\n");
    trial.createTopics(2);
    return trial;
  }

  private static LearnerService service(LateLabelsTrial trial) {
    SottoConfig config = trial.config();
    return new LearnerService(config.learner(), config.service());
  }

  /** Where they go, their ids decide; every event has a label. */
  private static void send(LateLabelsTrial trial, int from, int to) {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of())) {
      producer.partitionsFor(trial.shown());
      producer.partitionsFor(trial.clicked()); // so that no label waits for it
      for (int i = from; i < to; i++) {
        byte[] id = LateLabelsTrial.bytes("id-" + i);
        byte[] event = LateLabelsTrial.bytes("{\"a\":0.5}");
        producer.send(new ProducerRecord<>(trial.shown(), id, event));
        producer.send(
            new ProducerRecord<>(trial.clicked(), id, LateLabelsTrial.bytes("{\"y\":1}")));
      }
    }
  }

  private static void awaitVersions(LateLabelsTrial trial, int events) {
    Awaitility.await()
        .atMost(Trial.PATIENCE)
        .until(() -> trial.published() == events / LateLabelsTrial.BATCH);
  }

  /** Whoever runs it starts it again, or an orchestrator does. */
  @Test
  @Tag("long")
  void goesOnAtTheNextStart() throws Exception {
    goOnAtTheNextStart("classic");
  }

  @Test
  @Tag("long")
  void goesOnAtTheNextStartUnderTheStreamsProtocol() throws Exception {
    goOnAtTheNextStart("streams");
  }

  private void goOnAtTheNextStart(String protocol) throws Exception {
    LateLabelsTrial trial =
        trial("wider-" + protocol, "ordered\n" + PATIENT + "\nkafka.group.protocol: " + protocol);
    send(trial, 0, EVENTS);
    try (LearnerService service = service(trial)) {
      service.start();
      awaitVersions(trial, EVENTS);
      cluster.addPartitions(List.of(trial.clicked(), trial.shown()), 3);
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(FailureKind.TOPIC);
      assertThat(service.failure())
          .hasMessageContainingAll(
              "-shown had 2 partitions at the start, now it has 3",
              "-clicked has 3",
              "No record is lost",
              "start again");
    }
    send(trial, EVENTS, 2 * EVENTS);
    try (LearnerService service = service(trial)) {
      service.start();
      awaitVersions(trial, 2 * EVENTS);
      assertThat(service.failure()).isNull();
    }
    requireWhole(trial);
  }

  /** Everything is learned once, with its label, and the third partition has its share. */
  private static void requireWhole(LateLabelsTrial trial) {
    trial.partitions(3);
    List<LabelledEvent> labelled = new ArrayList<>();
    trial.labelled().forEach(each -> labelled.add(LabelledEvent.decode(each)));
    assertThat(labelled).hasSize(2 * EVENTS);
    assertThat(labelled).extracting(LabelledEvent::join).containsOnly(LabelledEvent.Join.LABELLED);
    assertThat(labelled.stream().filter(each -> each.source().partition() == 2).count())
        .isBetween(EVENTS / 6L, EVENTS / 2L); // a third of the second half
    LearnerSettings learner = trial.learner();
    Verification verification = new Verification(
            learner,
            trial.recorded(learner.eventTopic()),
            new PublishedTopics(cluster.clients(), learner.app()))
        .order(trial.order());
    assertThat(verification.run().outcome()).isEqualTo(Outcome.EQUAL);
  }

  @Test
  @Tag("long")
  void waitsUntilBothHaveAsMany() throws Exception {
    LateLabelsTrial trial = trial("apart", "ordered\n" + PATIENT);
    send(trial, 0, EVENTS);
    try (LearnerService service = service(trial)) {
      service.start();
      awaitVersions(trial, EVENTS);
    }
    cluster.addPartitions(trial.shown(), 3);
    assertRefused(trial, FailureKind.TOPIC, "needed: as many partitions");
    cluster.addPartitions(trial.clicked(), 3);
    PreflightFindings findings = Preflight.run(trial.config(), Duration.ofHours(1));
    assertThat(TextRenderer.of(findings.describe()))
        .contains("topic apart.labelled: exists with 2 partitions; the start gives it 3");
    assertThat(findings.all()).noneMatch(each -> each.level() == Level.FAULT);
    send(trial, EVENTS, 2 * EVENTS);
    try (LearnerService service = service(trial)) {
      service.start();
      awaitVersions(trial, 2 * EVENTS);
    }
    requireWhole(trial);
  }

  /**
   * A group that was stopped for long: what was joined must not be learned once more. And nothing of
   * the learner's is given partitions for topics that it never read.
   */
  @Test
  void readsNothingTwiceWhereOffsetsAreLost() throws Exception {
    LateLabelsTrial trial = trial("lost", "ordered\n" + PATIENT);
    send(trial, 0, EVENTS);
    try (LearnerService service = service(trial)) {
      service.start();
      awaitVersions(trial, EVENTS);
    }
    cluster.createTopic("wrong-shown", 4, LateLabelsTrial.STAMPED);
    cluster.createTopic("wrong-clicked", 4, LateLabelsTrial.STAMPED);
    trial.set("events.topic", "wrong-shown");
    trial.set("events.labels.topic", "wrong-clicked");
    assertRefused(trial, FailureKind.REFUSED, "no offset of [wrong-shown-0, wrong-shown-1]");
    assertThat(cluster.partitions("lost.labelled")).isEqualTo(2);
    trial.set("events.topic", trial.shown());
    trial.set("events.labels.topic", trial.clicked());
    var deleted = cluster.admin().deleteConsumerGroups(List.of("lost")).all();
    Cluster.get(deleted.toCompletionStage().toCompletableFuture());
    assertRefused(
        trial,
        FailureKind.REFUSED,
        "group lost has no offset of [lost-shown-0, lost-shown-1], but has taken records there");
    assertThat(
            TextRenderer.of(Preflight.run(trial.config(), Duration.ofHours(1)).describe()))
        .contains("FAULT", "no offsets where it has taken records");
    Map<TopicPartition, OffsetAndMetadata> earliest = new HashMap<>();
    for (String topic : List.of(trial.shown(), trial.clicked())) {
      for (int partition = 0; partition < 2; partition++) {
        earliest.put(new TopicPartition(topic, partition), new OffsetAndMetadata(0));
      }
    }
    var set = cluster.admin().alterConsumerGroupOffsets("lost", earliest).all();
    Cluster.get(set.toCompletionStage().toCompletableFuture());
    send(trial, EVENTS, 2 * EVENTS);
    try (LearnerService service = service(trial)) {
      service.start();
      awaitVersions(trial, 2 * EVENTS);
    }
    assertThat(trial.labelled())
        .extracting(each -> LabelledEvent.decode(each).source())
        .hasSize(2 * EVENTS)
        .doesNotHaveDuplicates();
    assertThat(trial.labelled())
        .extracting(each -> LabelledEvent.decode(each).join())
        .containsOnly(LabelledEvent.Join.LABELLED);
  }

  /** In layout direct only the events' number matters to models. */
  @Test
  @Tag("long")
  void saysWhatToDoWhereOnlyLabelsGotMore() throws Exception {
    LateLabelsTrial trial = trial("apart-direct", "direct\nmodel.id.source: partition");
    send(trial, 0, EVENTS);
    String why = "make a topic of labels with 2 partitions";
    try (LearnerService service = service(trial)) {
      service.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(() -> trial.published() >= 2);
      cluster.addPartitions(trial.clicked(), 3);
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(FailureKind.TOPIC);
      assertThat(service.failure()).hasMessageContaining(why);
    }
    assertRefused(trial, FailureKind.TOPIC, why);
    cluster.createTopic("apart-direct-others", 2, LateLabelsTrial.STAMPED);
    trial.set("events.labels.topic", "apart-direct-others");
    long before = trial.published();
    send(trial, EVENTS, 2 * EVENTS); // without their labels
    try (LearnerService service = service(trial)) {
      service.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(() -> trial.published() > before);
    }
  }

  /** In layout direct the model would have a second budget in the new partition. */
  @Test
  @Tag("long")
  void refusesWhereModelsWouldMove() throws Exception {
    LateLabelsTrial trial = trial("direct", "direct\nmodel.id.source: partition");
    send(trial, 0, EVENTS);
    try (LearnerService service = service(trial)) {
      service.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(() -> trial.published() >= 2);
      cluster.addPartitions(List.of(trial.clicked(), trial.shown()), 3);
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(service.failure()).hasMessageContainingAll("had 2 partitions", "now it has 3");
    }
    assertRefused(trial, FailureKind.REFUSED, "had 2 partitions at the start, now it has 3");
  }

  private static void assertRefused(LateLabelsTrial trial, FailureKind kind, String why) {
    try (LearnerService service = service(trial)) {
      SottoException refusal = catchThrowableOfType(SottoException.class, service::start);
      assertThat(refusal.kind()).isEqualTo(kind);
      assertThat(refusal).hasMessageContaining(why);
    }
  }
}
