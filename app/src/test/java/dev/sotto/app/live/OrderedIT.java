package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One model over several partitions: announcements put their events in one order. */
class OrderedIT {
  private static final int PARTITIONS = 3;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private int sent;

  @Test
  void ordersEveryCommittedEventOnceAndLearnsWhatAReplayLearns() {
    Trial trial = Trial.of("woven", folder, cluster.clients()).with(Layout.ORDERED);
    cluster.createTopic(trial.topic(), PARTITIONS, Map.of("retention.ms", "987654321"));
    List<byte[]> events = new ArrayList<>(Trial.events(400, 1));
    events.set(5, null);
    int bad = 1;
    for (int i = 7; i < events.size(); i += 13) {
      events.set(i, new byte[i]);
      bad++;
    }
    try (var producer = cluster.producer(Map.of("transactional.id", "woven-writer"))) {
      producer.initTransactions();
      try (LearnerService service = trial.start()) {
        write(producer, trial.topic(), events.subList(0, 200));
        trial.awaitRounds(service, 30);
      } // in the middle: what is consumed and not committed comes again
      write(producer, trial.topic(), events.subList(200, 400));
      trial.learnRounds(100);
    }
    ConfigResource order = new ConfigResource(ConfigResource.Type.TOPIC, Names.order("woven"));
    assertThat(Cluster.get(cluster
                .admin()
                .describeConfigs(List.of(order))
                .all()
                .toCompletionStage()
                .toCompletableFuture())
            .get(order)
            .get("retention.ms")
            .value())
        .as("kept as long as the events")
        .isEqualTo("987654321");
    Published published = trial.published();
    OrderReplay replay = new OrderReplay(
        Published.read(cluster.clients(), trial.topic()),
        Published.read(cluster.clients(), Names.order("woven")));
    assertThat(published.ledger()).hasSize(100);
    assertThat(replay.inOrder()).hasSize(400).containsExactlyInAnyOrderElementsOf(replay.events());
    assertThat(published.letters()).hasSize(bad);
    assertThat(published.letters())
        .extracting(letter -> Published.header(letter, "sotto.partition") + "/"
            + Published.header(letter, "sotto.offset"))
        .doesNotHaveDuplicates();
    assertThat(replay.bytes(trial.learner())).isEqualTo(published.bytes());
  }

  /** It soon holds more than had been announced of the first one, and its length tells nothing. */
  @Tag("long")
  @Test
  void stopsWhereTheTopicIsMadeAgainWhileItRuns() {
    Trial trial = Trial.of("remade", folder, cluster.clients()).with(Layout.ORDERED);
    cluster.createTopic(trial.topic(), 2, Map.of());
    List<byte[]> events = Trial.events(60, 3);
    cluster.send(trial.topic(), 0, events.subList(0, 8));
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 2);
      cluster.deleteTopic(trial.topic());
      cluster.createTopic(trial.topic(), 2, Map.of());
      cluster.send(trial.topic(), 0, events);
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure()).hasMessageContainingAll("was deleted and made again", "app.id");
    }
    assertThat(trial.published().ledger()).hasSize(2);
  }

  /** Offsets are hints: moved back or forward, they neither repeat nor skip a slot. */
  @Test
  void learnsEveryEventOnceWhereTheGroupIsGone() {
    learnsEveryEventOnceWhereverTheGroupIsPut("gone");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"back", "forward"})
  void learnsEveryEventOnceWhereverTheGroupIsPut(String where) {
    String app = "moved-" + where;
    Trial trial = Trial.of(app, folder, cluster.clients()).with(Layout.ORDERED);
    cluster.createTopic(trial.topic(), 2, Map.of());
    List<byte[]> events = Trial.events(80, 3);
    cluster.send(trial.topic(), 0, events.subList(0, 21));
    cluster.send(trial.topic(), 1, events.subList(21, 42));
    trial.learnRounds(10);
    cluster.send(trial.topic(), 0, events.subList(42, 60));
    if (where.equals("gone")) {
      Cluster.get(cluster
          .admin()
          .deleteConsumerGroups(List.of(app))
          .all()
          .toCompletionStage()
          .toCompletableFuture());
    } else {
      Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
      boolean back = where.equals("back");
      offsets.put(new TopicPartition(trial.topic(), 0), new OffsetAndMetadata(back ? 0 : 39));
      offsets.put(new TopicPartition(trial.topic(), 1), new OffsetAndMetadata(back ? 0 : 21));
      Cluster.get(cluster
          .admin()
          .alterConsumerGroupOffsets(app, offsets)
          .all()
          .toCompletionStage()
          .toCompletableFuture());
    }
    trial.learnRounds(15); // nothing new comes: what was skipped is announced at the start
    requireWhole(trial, 60, 15);
  }

  /** However much of a partition one fetch brings. */
  @ParameterizedTest
  @ValueSource(ints = {25, 900_000})
  void ordersABacklogByTheEndsOfItsPartitionsAlone(int bytes) {
    Trial trial = Trial.of("backlog-" + bytes, folder, cluster.clients()).with(Layout.ORDERED);
    cluster.createTopic(trial.topic(), 2, Map.of());
    List<byte[]> events = new ArrayList<>(Trial.events(1_100, 7));
    events.set(200, new byte[bytes]);
    cluster.send(trial.topic(), 0, events);
    cluster.send(trial.topic(), 1, Trial.events(1_050, 8));
    trial.learnRounds(2_150 / 4);
    assertThat(Published.read(cluster.clients(), Names.order(trial.app())))
        .extracting(each -> Codecs.ANNOUNCEMENT.decode(each.value()))
        .containsExactly(
            new Announcement(0, 0, 1_000),
            new Announcement(1, 0, 1_000),
            new Announcement(0, 0, 1_100),
            new Announcement(1, 0, 1_050));
    requireWhole(trial, 2_150, 2_150 / 4);
  }

  /** While it runs, and while it does not; the new ones begin at their first offset. */
  @Test
  void learnsFromPartitionsThatAreAdded() {
    Trial trial = Trial.of("grown", folder, cluster.clients())
        .with(Layout.ORDERED)
        .withClients(Map.of("metadata.max.age.ms", "1000"));
    cluster.createTopic(trial.topic(), 1, Map.of());
    List<byte[]> events = Trial.events(60, 4);
    cluster.send(trial.topic(), 0, events.subList(0, 20));
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 5);
      cluster.addPartitions(trial.topic(), 2);
      // The group has no offset there yet, and may be given none while it has members.
      trial.withFolder(folder.resolve("another")).start().close();
      cluster.send(trial.topic(), 1, events.subList(20, 40));
      trial.awaitRounds(service, 10);
    }
    cluster.addPartitions(trial.topic(), 3);
    cluster.send(trial.topic(), 2, events.subList(40, 60));
    trial.learnRounds(15);
    requireWhole(trial, 60, 15);
  }

  @Test
  void refusesToGoOnWhereRetentionHasOvertakenIt() {
    Trial trial = Trial.of("overtaken", folder, cluster.clients()).with(Layout.ORDERED);
    cluster.createTopic(trial.topic(), 2, Map.of());
    cluster.send(trial.topic(), 0, Trial.events(10, 5));
    trial.learnRounds(2);
    cluster.send(trial.topic(), 0, Trial.events(20, 6));
    cluster.deleteRecords(trial.topic(), 0, 20);
    try (LearnerService service = trial.start()) {
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure())
          .hasMessageContainingAll(trial.topic() + "-0", "raise retention.ms", "from offset");
    }
  }

  private static void requireWhole(Trial trial, int events, int rounds) {
    OrderReplay replay = new OrderReplay(
        Published.read(cluster.clients(), trial.topic()),
        Published.read(cluster.clients(), Names.order(trial.app())));
    assertThat(replay.inOrder())
        .hasSize(events)
        .containsExactlyInAnyOrderElementsOf(replay.events());
    Published published = trial.published();
    assertThat(published.ledger()).hasSize(rounds);
    assertThat(replay.bytes(trial.learner())).isEqualTo(published.bytes());
  }

  /** Committed in small transactions, with an aborted one before each. */
  private void write(KafkaProducer<byte[], byte[]> producer, String topic, List<byte[]> events) {
    for (int from = 0; from < events.size(); from += 25) {
      producer.beginTransaction();
      Trial.events(10, from).forEach(lost -> send(producer, topic, lost));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      events.subList(from, from + 25).forEach(kept -> send(producer, topic, kept));
      producer.commitTransaction();
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] event) {
    producer.send(new ProducerRecord<>(topic, sent++ % PARTITIONS, null, event));
  }
}
