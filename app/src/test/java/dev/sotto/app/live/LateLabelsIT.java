package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.app.explain.RecordExplainer;
import dev.sotto.app.explain.RecordExplanation;
import dev.sotto.app.explain.RecordOutcome;
import dev.sotto.app.explain.RecordPosition;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.log.JoinedTurns;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.ReadEnd;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Labels that come later, on a real broker, to a learner that is killed. */
class LateLabelsIT {
  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  /** What is joined is what the two logs say, and what is learned is what was joined. */
  @Test
  void joinsByTheTimesOfTheLogsThroughKills() throws Exception {
    LateLabelsTrial trial = new LateLabelsTrial(cluster, folder, "clicks", "layout: direct\n");
    trial.joinThroughKills(480, 1, 1);
    LearnerSettings learner = trial.learner();
    Verification verification = new Verification(
        learner,
        trial.recorded(learner.eventTopic()),
        new PublishedTopics(cluster.clients(), learner.app()));
    assertThat(verification.run().outcome()).isEqualTo(Outcome.EQUAL);
  }

  /**
   * The order of joined events is that in which they were appended, whatever the join reads first,
   * and nobody waits for partitions that hold nothing, or end with what was aborted.
   */
  @Test
  void ordersWhatIsJoinedByTheTimesOfTheEvents() throws Exception {
    LateLabelsTrial trial = new LateLabelsTrial(
        cluster, folder, "merged", "layout: ordered\nevents.labels.wait.ms: 300\n");
    trial.set("events.labels.missing", "empty");
    trial.createTopics(3);
    int events = 2 * LateLabelsTrial.BATCH;
    try (KafkaProducer<byte[], byte[]> producer =
        cluster.producer(Map.of("transactional.id", "merged"))) {
      producer.initTransactions();
      for (int i = 0; i < events; i++) {
        producer.beginTransaction();
        Cluster.get(producer.send(event(trial, i / 3 % 2, "id-" + i)));
        producer.commitTransaction();
      }
      producer.beginTransaction();
      Cluster.get(producer.send(event(trial, 1, "aborted")));
      Cluster.get(producer.send(event(trial, 2, "aborted")));
      producer.abortTransaction();
    }
    SottoConfig config = trial.config();
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .until(() -> trial.published() == events / LateLabelsTrial.BATCH);
    }
    List<LabelledEvent.Source> order = trial.sourcesInOrder();
    assertThat(order).hasSize(events);
    String shown = config.learner().sourceTopic();
    try (RecordExplainer explain = new RecordExplainer(config, (task, done, most) -> {})) {
      LabelledEvent.Source last = order.get(events - 1);
      RecordExplanation of =
          explain.explain(new RecordPosition(shown, last.partition(), last.offset()));
      assertThat(of.outcome())
          .as("by its own topic, which has other offsets")
          .isEqualTo(RecordOutcome.IN_ROUND);
      assertThat(TextRenderer.of(of.describe())).contains("empty     NO_LABEL (no label came");
      assertThat(explain.explain(new RecordPosition(shown, 0, 1_000_000)).outcome())
          .isEqualTo(RecordOutcome.NOT_WRITTEN);
    }
    assertThat(order)
        .isSortedAccordingTo(
            Comparator.<LabelledEvent.Source>comparingLong(each -> each.time() / JoinedTurns.SPAN)
                .thenComparing(LabelledEvent.Source::partition)
                .thenComparing(LabelledEvent.Source::offset));
    Verification verification = new Verification(
            trial.learner(),
            trial.recorded(trial.learner().eventTopic()),
            new PublishedTopics(cluster.clients(), trial.learner().app()))
        .order(trial.order());
    assertThat(verification.run().outcome()).isEqualTo(Outcome.EQUAL);
  }

  private static ProducerRecord<byte[], byte[]> event(
      LateLabelsTrial trial, int partition, String id) {
    return new ProducerRecord<>(
        trial.shown(), partition, LateLabelsTrial.bytes(id), LateLabelsTrial.bytes("{\"a\":0.5}"));
  }

  /** A label that was appended counts as read once it is known what becomes of it. */
  @Test
  void aLogIsReadToItsEndWhenNothingOpenStandsBehind() {
    cluster.createTopic("ends", 1, LateLabelsTrial.STAMPED);
    KafkaLogs logs = new KafkaLogs(Duration.ofSeconds(10));
    try (ReadEnd end = logs.end(new HashMap<>(cluster.clients()), "ends");
        KafkaProducer<byte[], byte[]> producer =
            cluster.producer(Map.of("transactional.id", "ends"))) {
      assertThat(end.readBefore(0, 0, 1_000, 900)).isEqualTo(1_000);
      assertThat(end.readBefore(0, 0, 1_000, 1_001)).isEqualTo(ReadEnd.THERE_IS_MORE);
      producer.initTransactions();
      producer.beginTransaction();
      Cluster.get(producer.send(new ProducerRecord<>("ends", LateLabelsTrial.bytes("{}"))));
      assertThat(end.readBefore(0, 0, 1_000, 900)).as("open").isEqualTo(ReadEnd.THERE_IS_MORE);
      producer.abortTransaction();
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .untilAsserted(
              () -> assertThat(end.readBefore(0, 0, 1_000, 900)).as("aborted").isEqualTo(1_000));
      producer.beginTransaction();
      Cluster.get(producer.send(new ProducerRecord<>("ends", LateLabelsTrial.bytes("{}"))));
      producer.commitTransaction();
      assertThat(end.readBefore(0, 2, 1_000, 900)).isEqualTo(ReadEnd.THERE_IS_MORE);
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .untilAsserted(
              () -> assertThat(end.readBefore(0, 3, 1_000, 900)).as("behind it").isEqualTo(1_000));
      end.requireReaches(0, 3);
      assertThatThrownBy(() -> end.requireReaches(0, 9))
          .as("of another topic of this name")
          .hasMessageContaining("topic ends ends before what has been joined of it");
    }
  }

  /** Offsets that were taken mean nothing in a topic that was made again, however long it is. */
  @Test
  void refusesLabelsOfATopicThatWasMadeAgain() throws Exception {
    LateLabelsTrial trial = joined("again");
    long labels = Published.read(cluster.clients(), "again-clicked").size();
    cluster.deleteTopic("again-clicked");
    cluster.createTopic("again-clicked", 1, LateLabelsTrial.STAMPED);
    cluster.send(
        "again-clicked",
        0,
        Collections.nCopies((int) labels + 1, LateLabelsTrial.bytes("{\"y\":1}")));
    requireStops(trial, FailureKind.REFUSED, "topic again-clicked was deleted and made again");
  }

  /** It may have been restored too early; where that stays so, it is lost. */
  @Tag("long")
  @Test
  void doesNotJoinAgainWhatItHasForgotten() throws Exception {
    LateLabelsTrial trial = joined("forgot");
    trial.set("state.dir", folder.resolve("another"));
    cluster.deleteTopic("forgot-joins-changelog");
    Cluster.get(cluster
        .admin()
        .alterConsumerGroupOffsets(
            "forgot", Map.of(new TopicPartition("forgot-shown", 0), new OffsetAndMetadata(0)))
        .all()
        .toCompletionStage()
        .toCompletableFuture());
    requireStops(
        trial,
        FailureKind.FAULTS,
        "the join does not remember it. If this stays, forgot-joins-changelog was lost");
    assertThat(trial.labelled()).hasSize(LateLabelsTrial.BATCH);
  }

  /** A learner that has joined the events of a version, and was stopped. */
  private LateLabelsTrial joined(String app) throws Exception {
    LateLabelsTrial trial =
        new LateLabelsTrial(cluster, folder, app, "layout: direct\nevents.labels.wait.ms: 300\n");
    trial.createTopics(1);
    for (int i = 0; i < LateLabelsTrial.BATCH; i++) {
      cluster.send(trial.shown(), 0, List.of(LateLabelsTrial.bytes("{\"a\":0.5}")));
    }
    try (LearnerService service = started(trial)) {
      Awaitility.await().atMost(Trial.PATIENCE).until(() -> {
        cluster.send(trial.clicked(), 0, List.of(LateLabelsTrial.bytes("{\"y\":1}")));
        return trial.published() == 1 || service.hasEnded();
      });
    }
    return trial;
  }

  private static LearnerService started(LateLabelsTrial trial) {
    SottoConfig config = trial.config();
    LearnerService service = new LearnerService(config.learner(), config.service());
    service.start();
    return service;
  }

  private static void requireStops(LateLabelsTrial trial, FailureKind kind, String why) {
    try (LearnerService service = started(trial)) {
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(kind);
      assertThat(service.failure()).hasMessageContaining(why);
    }
  }

  @Test
  void refusesTopicsThatDoNotGoTogether() throws Exception {
    LateLabelsTrial trial = new LateLabelsTrial(cluster, folder, "apart", "layout: direct\n");
    cluster.createTopic("apart-shown", 1, LateLabelsTrial.STAMPED);
    requireRefused(trial, "label topic apart-clicked: does not exist");
    cluster.createTopic("apart-clicked", 2, LateLabelsTrial.STAMPED);
    requireRefused(
        trial,
        "label topic apart-clicked: 2 partitions; needed: as many partitions as apart-shown, which"
            + " has 1");
    cluster.alterTopic("apart-shown", "message.timestamp.type", "CreateTime");
    requireRefused(
        trial,
        "event topic apart-shown: message.timestamp.type=CreateTime; needed:"
            + " message.timestamp.type=LogAppendTime for events.labels.topic");
  }

  private static void requireRefused(LateLabelsTrial trial, String why) {
    SottoConfig config = trial.config();
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      assertThatThrownBy(service::start).hasMessageContaining(why);
    }
  }
}
