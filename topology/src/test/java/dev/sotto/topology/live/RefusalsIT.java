package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.training.Plan;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where learning on would break the guarantee, it stops, says why, and publishes nothing. */
class RefusalsIT {
  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  /** A learner that has closed two rounds, and consumed two slots of the third. */
  private Trial learned(String app) {
    Trial trial = Trial.of(app, folder, cluster.clients());
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(10, 1));
    trial.learnRounds(2);
    return trial;
  }

  private static SottoException refusal(Trial trial) {
    List<String> before = trial.published().bytes();
    SottoException failure = trial.learnUntilFailure();
    assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
    assertThat(trial.published().bytes()).isEqualTo(before);
    return failure;
  }

  @Tag("long")
  @Test
  void waitsAtAnEmptyTopicAndLearnsWhenRecordsCome() {
    Trial trial = Trial.of("empty", folder, cluster.clients());
    cluster.createTopic(trial.topic());
    try (LearnerService service = trial.start()) {
      Awaitility.await().until(service::isRunning);
      assertThat(trial.published().bytes()).isEmpty();
      cluster.send(trial.topic(), Trial.events(9, 1));
      trial.awaitRounds(service, 2);
      Awaitility.await().until(service::isRunning);
    }
    assertThat(trial.published().models()).hasSize(2);
  }

  @Test
  void refusesWhenRetentionTookRecordsThatWereNotLearned() {
    Trial trial = learned("retention");
    cluster.send(trial.topic(), Trial.events(10, 2));
    cluster.deleteRecords(trial.topic(), 0, 15);
    assertThat(refusal(trial)).hasMessageContainingAll(trial.topic(), "gone", "retention.ms");
  }

  @Test
  void refusesWhenRetentionTookTheSlotsOfTheOpenRound() {
    Trial trial = learned("open-round");
    cluster.send(trial.topic(), Trial.events(10, 2));
    cluster.deleteRecords(trial.topic(), 0, 10);
    assertThat(refusal(trial))
        .hasMessageContainingAll("from offset 8 to 10", trial.topic(), "retention.ms");
  }

  /** Two slots of the open block are summed and stored; its next query would read them again. */
  @Tag("long")
  @Test
  void refusesWhenRetentionTookSlotsThatTheOpenBlockReadsAgain() {
    QuerySchedule twice = QuerySchedule.sampled(4, 2, new QuerySchedule.Sampling(4, 1));
    Optimizer pools = Pools.optimizer(twice, Trial.DIMENSION);
    UnaryOperator<Plan> blocks = plan -> plan.toBuilder()
        .algorithm("resque", pools.describe(), pools)
        .mechanism(new QueryNoise(twice))
        .build();
    Trial trial = Trial.of("open-block", folder, cluster.clients());
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(10, 1));
    try (LearnerService service = trial.start(blocks)) {
      trial.awaitRounds(service, 2);
    }
    cluster.send(trial.topic(), Trial.events(10, 2));
    cluster.deleteRecords(trial.topic(), 0, 10);
    List<String> before = trial.published().bytes();
    try (LearnerService service = trial.start(blocks)) {
      Awaitility.await().until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(service.failure())
          .hasMessageContainingAll(
              "from offset 8 to", "read the open block again", trial.topic(), "retention.ms");
    }
    assertThat(trial.published().bytes()).isEqualTo(before);
  }

  @Test
  void refusesATopicThatWasMadeAgain() throws InterruptedException {
    Trial trial = learned("again");
    cluster.deleteTopic(trial.topic());
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(20, 1));
    assertThat(refusal(trial))
        .hasMessageContainingAll("deleted and made again", "topic id", "new app.id");
  }

  @Tag("long")
  @Test
  void refusesATopicThatWasMadeAgainAlthoughTheStateIsLostToo() throws InterruptedException {
    Trial trial = learned("again-cold");
    cluster.deleteTopic(trial.topic());
    for (String store : List.of("heads", "learner")) {
      cluster.deleteTopic(trial.app() + "-" + store + "-changelog");
    }
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(20, 2));
    assertThat(refusal(trial.withFolder(folder.resolve("another"))))
        .hasMessageContaining("cannot be derived again");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusesAnotherNoiseKey(boolean stateKept) throws InterruptedException {
    Trial trial = learned("key-" + stateKept);
    byte[] other = new byte[32];
    other[31] = 1;
    Trial changed = trial.withKey(other);
    if (!stateKept) {
      changed = changed.withFolder(folder.resolve("another"));
      for (String store : List.of("heads", "learner")) {
        cluster.deleteTopic(trial.app() + "-" + store + "-changelog");
      }
    }
    List<String> before = trial.published().bytes();
    assertThatThrownBy(changed::start) // before another record comes
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "learned under noise key " + trial.learner().key().id(),
            "noise key " + changed.learner().key().id() + " is given",
            "put the old key back");
    assertThat(trial.published().bytes()).isEqualTo(before);
    cluster.send(trial.topic(), Trial.events(10, 2));
    trial.learnRounds(5); // with the old key it goes on
    assertThat(trial.published().ledger()).hasSize(5);
  }

  @Tag("long")
  @Test
  void refusesAnotherConfiguration() {
    Trial trial = learned("configured");
    List<String> before = trial.published().bytes();
    Trial changed = trial.withModel(Trial.DIMENSION, 5, null);
    assertThatThrownBy(() -> changed.start()) // before another record comes
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "configuration: batch.size was 4 and is 5", "put the old settings back");
    assertThat(trial.published().bytes()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusesATruncatedLedger(boolean deleted) throws InterruptedException {
    Trial trial = learned("ledger-" + deleted);
    cluster.send(trial.topic(), Trial.events(10, 2));
    String ledger = Names.ledger(trial.app());
    if (deleted) {
      cluster.deleteTopic(ledger);
    } else {
      cluster.deleteRecords(ledger, 0, -1);
    }
    SottoException failure = trial.learnUntilFailure();
    assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
    assertThat(failure)
        .hasMessageContainingAll("state is ahead of the ledger", "truncated", "Restore it");
    assertThat(Published.read(cluster.clients(), ledger)).isEmpty();
    assertThat(Published.read(cluster.clients(), Names.snapshots(trial.app()))).hasSize(4);
  }

  /** Nobody can take it out again, so the message says where it is and what can still be done. */
  @Test
  void refusesALedgerIntoWhichSomethingElseHasWritten() {
    Trial trial = learned("foreign");
    String ledger = Names.ledger(trial.app());
    cluster.send(ledger, List.of("{\"prediction\":0.5}".getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(trial::start)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "ledger " + ledger + ", partition 0, offset ",
            "LedgerEntry cannot be read",
            "start a new app.id");
  }

  @Tag("long")
  @Test
  void stopsWhenTheEventTopicIsDeletedMeanwhile() throws InterruptedException {
    Trial trial = Trial.of("deleted", folder, cluster.clients())
        .withClients(Map.of("metadata.max.age.ms", "1000"));
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(10, 1));
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 2);
      cluster.deleteTopic(trial.topic());
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(FailureKind.TOPIC);
      assertThat(service.failure()).hasMessageContainingAll(trial.topic(), "gone");
    }
  }

  @Test
  void skipsWhatItHasLearnedWhenOffsetsAreReset() {
    Trial trial = learned("reset");
    var beginning = Map.of(new TopicPartition(trial.topic(), 0), new OffsetAndMetadata(0));
    Cluster.get(cluster
        .admin()
        .alterConsumerGroupOffsets(trial.app(), beginning)
        .all()
        .toCompletionStage()
        .toCompletableFuture());
    cluster.send(trial.topic(), Trial.events(10, 2));
    trial.learnRounds(5);
    List<byte[]> all = new ArrayList<>(Trial.events(10, 1));
    all.addAll(Trial.events(10, 2));
    assertThat(trial.published().ledger())
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(trial.expectedDigests(all));
  }
}
