package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.preflight.Preflight;
import dev.sotto.app.preflight.PreflightFinding;
import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.live.GroupProgress;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewPartitions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a model over rounds cannot go on, it stops at once, says why and what to do, and publishes
 * nothing.
 */
class RoundsRefusalsIT {
  private static final int PARTITIONS = 2;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private Trial trial(String app) {
    Trial trial = Trial.of(app, folder, cluster.clients())
        .with(Layout.ROUNDS)
        .withClients(Map.of("metadata.max.age.ms", "1000"));
    cluster.createTopic(trial.topic(), PARTITIONS, Map.of());
    return trial;
  }

  /** Two rounds of two slots of each partition, and one slot of the third. */
  private Trial learned(String app) {
    Trial trial = trial(app);
    send(trial, 5);
    GroupProgress group = new GroupProgress(cluster.admin(), trial.app());
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 2);
      Awaitility.await().until(() -> group.hasReachedEndOf(trial.topic())); // the third slot too
    }
    return trial;
  }

  private static void send(Trial trial, int count) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      cluster.send(trial.topic(), partition, Trial.events(count, partition));
    }
  }

  private static SottoException failure(Trial trial) {
    try (LearnerService service = trial.start()) {
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure()).isNotNull();
      return service.failure();
    } catch (SottoException atStart) {
      return atStart;
    }
  }

  private static void assertRefused(Trial trial, String... words) {
    int before = Published.read(cluster.clients(), Names.snapshots(trial.app())).size();
    SottoException failure = failure(trial);
    assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(FailureKind.REFUSED);
    assertThat(failure).hasMessageContainingAll(words);
    assertThat(Published.read(cluster.clients(), Names.snapshots(trial.app()))).hasSize(before);
  }

  private static List<PreflightFinding> faults(Trial trial) {
    return Preflight.run(PreflightIT.config(trial), Duration.ofDays(1)).all().stream()
        .filter(each -> each.level() == Level.FAULT)
        .toList();
  }

  private static void addPartition(String topic) {
    Cluster.get(cluster
        .admin()
        .createPartitions(Map.of(topic, NewPartitions.increaseTo(PARTITIONS + 2)))
        .all()
        .toCompletionStage()
        .toCompletableFuture());
    Awaitility.await()
        .until(() -> Cluster.get(cluster
                    .admin()
                    .describeTopics(List.of(topic))
                    .allTopicNames()
                    .toCompletionStage()
                    .toCompletableFuture())
                .get(topic)
                .partitions()
                .size()
            == PARTITIONS + 2);
  }

  @Test
  void refusesMorePartitionsAtItsStart() {
    Trial trial = learned("wider");
    addPartition(trial.topic());
    assertRefused(trial, "had 2 partitions", "now it has 4", "new app.id");
    assertThat(faults(trial)).anySatisfy(each -> {
      assertThat(each.found()).isEqualTo("4 partitions");
      assertThat(each.needed()).contains("over which the model was begun");
    });
  }

  /**
   * Streams meets the missing offset first, or the new partitions; either way it ends, and the next
   * start refuses.
   */
  @Tag("long")
  @Test
  void refusesMorePartitionsWhileItRuns() {
    Trial trial = trial("widened");
    send(trial, 5);
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 2);
      addPartition(trial.topic());
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      SottoException failure = service.failure();
      assertThat(failure.kind())
          .as(failure.getMessage())
          .isIn(FailureKind.REFUSED, FailureKind.TOPIC);
      assertThat(failure).hasMessageContainingAll(trial.topic(), "partition");
    }
    assertRefused(trial, "had 2 partitions", "now it has 4", "new app.id");
    assertThat(trial.published().ledger()).hasSize(2);
  }

  @Tag("long")
  @Test
  void refusesAnEventTopicThatWasMadeAgain() throws InterruptedException {
    Trial trial = learned("again");
    cluster.deleteTopic(trial.topic());
    cluster.createTopic(trial.topic(), PARTITIONS, Map.of());
    assertThat(faults(trial)).anySatisfy(each -> assertThat(each.found()).contains("begun on"));
    send(trial, 9);
    assertRefused(trial, "deleted and made again", "topic id", "new app.id");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"events", "control", "sums"})
  void stopsWhenATopicIsDeletedWhileItRuns(String which) throws InterruptedException {
    Trial trial = trial("deleted-" + which);
    send(trial, 5);
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 2);
      cluster.deleteTopic(which.equals("events") ? trial.topic() : trial.app() + "." + which);
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure().kind())
          .as(service.failure().getMessage())
          .isEqualTo(FailureKind.TOPIC);
      assertThat(service.failure()).hasMessageContainingAll("gone", "Restore it");
    }
  }

  /** Made again with a genesis of its own it would begin a second history. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusesWithoutItsBeginning(boolean stateKept) throws InterruptedException {
    Trial trial = learned("begun-" + stateKept);
    cluster.deleteTopic(Names.control(trial.app()));
    assertThat(faults(trial))
        .anySatisfy(each -> assertThat(each.found()).startsWith("lacks the model's beginning"));
    Trial next = trial;
    if (!stateKept) {
      next = trial.withFolder(folder.resolve("another"));
      for (String store : List.of("heads", "learner")) {
        cluster.deleteTopic(trial.app() + "-" + store + "-changelog");
      }
    }
    send(trial, 9);
    assertRefused(next, Names.control(trial.app()), "deleted and made again", "new app.id");
    assertRefused(next, Names.control(trial.app()), "deleted and made again"); // nor later
  }

  @Tag("long")
  @Test
  void refusesSumsThatWereMadeAgain() throws InterruptedException {
    Trial trial = learned("sums");
    cluster.deleteTopic(Names.sums(trial.app()));
    send(trial, 9);
    assertRefused(trial, "deleted and made again", "new app.id");
  }

  @Test
  void refusesWhenRetentionTookEventsOfTheOpenSlice() {
    Trial trial = learned("retention");
    send(trial, 9);
    cluster.deleteRecords(trial.topic(), 1, 5);
    assertThat(faults(trial)).anySatisfy(each -> {
      assertThat(each.subject()).isEqualTo("records of " + trial.topic() + "-1");
      assertThat(each.found()).startsWith("begin at offset 5,");
    });
    assertRefused(trial, trial.topic() + "-1", "retention.ms", "new app.id");
  }

  @Tag("long")
  @Test
  void refusesWhenRetentionTookEventsThatWereNotSeenYet() {
    Trial trial = learned("unseen");
    send(trial, 9);
    cluster.deleteRecords(trial.topic(), 0, 8);
    assertRefused(trial, trial.topic(), "retention.ms", "new app.id");
  }

  @Test
  void refusesWhenTheLedgerIsLost() throws InterruptedException {
    Trial trial = learned("ledger");
    cluster.deleteTopic(Names.ledger(trial.app()));
    send(trial, 9);
    assertRefused(trial, "state is ahead of the ledger", "truncated", "Restore it");
  }

  /** Parts are compacted: a coordinator whose state is lost with them cannot derive it again. */
  @Tag("long")
  @Test
  void refusesWhenStateAndSumsAreLost() throws InterruptedException {
    Trial trial = learned("cold");
    cluster.deleteTopic(Names.sums(trial.app()));
    for (String store : List.of("heads", "learner")) {
      cluster.deleteTopic(trial.app() + "-" + store + "-changelog");
    }
    send(trial, 9);
    assertRefused(trial.withFolder(folder.resolve("another")), "app.id");
  }
}
