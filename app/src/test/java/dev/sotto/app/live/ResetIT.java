package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.app.reset.ResetPlan;
import dev.sotto.app.reset.ResetRun;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A state that was taken away is derived again, bit for bit, or nothing is taken away. */
class ResetIT {
  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private Trial trial(String app) {
    Trial trial = Trial.of(app, folder, cluster.clients());
    cluster.createTopic(trial.topic());
    return trial;
  }

  private static ResetPlan reset(SottoConfig config) {
    try (ResetRun run = new ResetRun(config)) {
      ResetPlan plan = run.plan();
      run.execute(plan, done -> {});
      return plan;
    }
  }

  private static ResetPlan reset(Trial trial) {
    return reset(PreflightIT.config(trial));
  }

  private static ResetPlan plan(Trial trial) {
    try (ResetRun run = new ResetRun(PreflightIT.config(trial))) {
      return run.plan();
    }
  }

  private static SottoException refusal(Trial trial) {
    return catchThrowableOfType(SottoException.class, () -> plan(trial));
  }

  private static List<byte[]> mixed(int count, long seed) {
    List<byte[]> events = new ArrayList<>(Trial.events(count, seed));
    for (int i = 1; i < count; i += 4) {
      events.set(i, new byte[] {1, 2, 3}); // each is set aside
    }
    return events;
  }

  @Test
  void derivesTheSameRoundsAgainAndGoesOn() {
    Trial trial = trial("direct-again");
    List<byte[]> events = mixed(50, 1);
    cluster.send(trial.topic(), events.subList(0, 22));
    trial.learnRounds(5); // and 2 slots of the sixth
    Published before = trial.published();
    Set<String> topics = new TreeSet<>(cluster.topics());
    ResetPlan dry = plan(trial);
    assertThat(cluster.topics()).as("a plan changes nothing").isEqualTo(topics);
    assertThat(folder.resolve(trial.app())).isNotEmptyDirectory();
    assertThat(dry.changelogs())
        .containsExactly("direct-again-heads-changelog", "direct-again-learner-changelog");
    assertThat(dry.kept())
        .contains(
            trial.topic(),
            Names.ledger(trial.app()),
            Names.snapshots(trial.app()),
            Names.deadLetters(trial.app()));

    assertThat(reset(trial)).isEqualTo(dry);
    topics.removeAll(dry.changelogs());
    assertThat(cluster.topics()).isEqualTo(topics);
    assertThat(folder.resolve(trial.app())).doesNotExist();
    assertThat(trial.published().bytes()).isEqualTo(before.bytes());

    cluster.send(trial.topic(), events.subList(22, 50));
    learn(trial, 12, 13);
    Published after = trial.published();
    assertThat(after.bytes()).containsAll(before.bytes());
    assertThat(after.ledger())
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(trial.expectedDigests(events));
    assertThat(after.letters()).as("each record is set aside once").hasSize(13);
  }

  /** The last record handed over was set aside, since its model is retired: no run does it again. */
  @Test
  void setsARecordOfARetiredModelAsideOnce() {
    Trial trial = trial("retired-again");
    LearnerSettings usual = trial.learner();
    ModelIdRule byKey = new ModelIdRule(
        ModelIdRule.Source.KEY, "key", new ModelIdRule.Limits(Set.of(), 10, Set.of("gone")));
    SottoConfig config = new SottoConfig(
        new LearnerSettings(
            usual.app(),
            usual.layout(),
            new LearnerSettings.Events(trial.topic(), byKey, usual.decoder()),
            usual.run(),
            usual.cadence()),
        trial.service(),
        Optional.empty(),
        EffectiveSettings.NONE,
        List.of());
    List<byte[]> events = Trial.events(5, 1);
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < events.size(); i++) {
        byte[] key = (i < 4 ? "here" : "gone").getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(trial.topic(), key, events.get(i)));
      }
    }
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      trial.awaitRounds(service, 1);
      awaitOffset(trial, 5);
    }
    assertThat(trial.published().letters()).hasSize(1);
    try (ResetRun run = new ResetRun(config)) {
      assertThat(run.plan().offsets()).as("the group stays behind that record").isEmpty();
    }
  }

  /** Nothing more arrives, and still the state is there again. */
  @Tag("long")
  @Test
  void derivesWithoutWaitingForARecord() {
    Trial trial = trial("at-once");
    cluster.send(trial.topic(), mixed(23, 1)); // the last is a good one
    learn(trial, 5, 6);
    List<String> before = trial.published().bytes();
    assertThat(trial.published().letters()).hasSize(6);
    reset(trial);
    try (LearnerService service = trial.start()) {
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () -> assertThat(Published.read(cluster.clients(), "at-once-learner-changelog"))
                  .isNotEmpty());
      assertThat(service.failure()).isNull();
    }
    assertThat(trial.published().bytes()).isEqualTo(before);
    assertThat(trial.published().letters()).hasSize(6);
  }

  @Tag("long")
  @Test
  void derivesRoundsFromTheEventsAndTheirOrder() {
    Trial trial = Trial.of("order-again", folder, cluster.clients()).with(Layout.ORDERED);
    cluster.createTopic(trial.topic(), 3, Map.of());
    List<byte[]> events = mixed(60, 1);
    spread(trial.topic(), events.subList(0, 30));
    trial.learnRounds(7);
    List<String> before = trial.published().bytes();
    ResetPlan plan = reset(trial);
    assertThat(plan.kept()).contains("order-again.order");

    spread(trial.topic(), events.subList(30, 60));
    trial.learnRounds(15);
    assertThat(trial.published().bytes()).containsAll(before);
    OrderReplay replay = new OrderReplay(
        Published.read(cluster.clients(), trial.topic()),
        Published.read(cluster.clients(), Names.order(trial.app())));
    assertThat(replay.bytes(trial.learner())).isEqualTo(trial.published().bytes());
    assertThat(trial.published().letters()).hasSize(15);
  }

  private static void spread(String topic, List<byte[]> events) {
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < events.size(); i++) {
        producer.send(new ProducerRecord<>(topic, i % 3, null, events.get(i)));
      }
    }
  }

  /** With start latest a deleted offset would have begun behind what the open round held. */
  @Tag("long")
  @Test
  void skipsNothingOfAFirstRoundThatIsOpenAlthoughItStartsAtTheLatest() {
    Trial trial = trial("latest");
    cluster.send(trial.topic(), Trial.events(3, 9)); // before its time
    ServiceSettings service = trial.service();
    SottoConfig config = new SottoConfig(
        trial.learner(),
        new ServiceSettings(
            service.clients(),
            service.stateFolder(),
            new ServiceSettings.FirstStart(service.replication(), true, service.historyHorizon()),
            service.threads(),
            service.transactionTimeout()),
        Optional.empty(),
        EffectiveSettings.NONE,
        List.of());
    List<byte[]> events = Trial.events(10, 1);
    run(config, trial, events.subList(0, 3), 0);
    ResetPlan plan = reset(config);
    assertThat(plan.offsets()).containsExactly(Map.entry(new TopicPartition(trial.topic(), 0), 3L));
    run(config, trial, events.subList(3, 10), 2);
    assertThat(trial.published().ledger())
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(trial.expectedDigests(events));
  }

  private static void run(SottoConfig config, Trial trial, List<byte[]> events, int rounds) {
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      Awaitility.await().until(service::isRunning);
      cluster.send(trial.topic(), events);
      if (rounds > 0) {
        trial.awaitRounds(service, rounds);
      } else {
        awaitOffset(trial, 6);
      }
    }
  }

  /** Learns until these rounds have closed and these letters, of the open round too, are there. */
  private static void learn(Trial trial, int rounds, int letters) {
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, rounds);
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(trial.published().letters()).hasSizeGreaterThanOrEqualTo(letters));
    }
  }

  private static void awaitOffset(Trial trial, long offset) {
    TopicPartition where = new TopicPartition(trial.topic(), 0);
    Awaitility.await().atMost(Trial.PATIENCE).until(() -> {
      var known = Cluster.get(cluster
          .admin()
          .listConsumerGroupOffsets(trial.app())
          .partitionsToOffsetAndMetadata()
          .toCompletionStage()
          .toCompletableFuture());
      return known.get(where) != null && known.get(where).offset() == offset;
    });
  }

  @Test
  void refusesWhileTheGroupHasMembers() {
    Trial trial = trial("busy");
    try (LearnerService service = trial.start()) {
      Awaitility.await().until(service::isRunning);
      SottoException failure = refusal(trial.withFolder(folder.resolve("another")));
      assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
      assertThat(failure).hasMessageContainingAll("group busy has 1 member", "stop all instances");
    }
  }

  @Test
  void refusesWhatCouldNotBeDerivedAgain() throws InterruptedException {
    Trial trial = trial("gone");
    cluster.send(trial.topic(), Trial.events(10, 1));
    trial.learnRounds(2);
    byte[] other = new byte[32];
    other[0] = 1;
    assertThat(refusal(trial.withKey(other)))
        .hasMessageContainingAll("no reset: the ledger is not of this run", "noise key");
    assertThat(refusal(trial.withModel(Trial.DIMENSION, 5, null)))
        .hasMessageContainingAll("not of this run", "configuration");
    cluster.deleteRecords(trial.topic(), 0, 1);
    SottoException failure = refusal(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
    assertThat(failure)
        .hasMessageContainingAll(
            "began at offset 0", "holds records from offset 1", "Keep the state");
    cluster.deleteTopic(Names.ledger(trial.app()));
    assertThat(refusal(trial)).hasMessageContainingAll("the ledger ends at 0", "Restore it first");
    assertThat(cluster.topics()).contains("gone-heads-changelog", "gone-learner-changelog");
    assertThat(folder.resolve("gone")).isNotEmptyDirectory();
  }

  /**
   * The folder of another machine knows a state whose changelogs are gone: it must not make a
   * second history.
   */
  @Tag("long")
  @Test
  void makesNoSecondHistoryWhereAnotherMachinesFolderWasLeft() {
    Trial left = trial("left");
    List<byte[]> events = Trial.events(30, 1);
    cluster.send(left.topic(), events.subList(0, 10));
    left.learnRounds(2);
    List<String> before = left.published().bytes();
    Trial here = left.withFolder(folder.resolve("here"));
    reset(here);
    cluster.send(left.topic(), events.subList(10, 30));
    try (LearnerService service = left.start()) {
      Awaitility.await()
          .atMost(Trial.PATIENCE.multipliedBy(2))
          .until(() -> service.hasEnded() || left.published().ledger().size() == 7);
    }
    assertThat(left.published().bytes()).containsAll(before);
    reset(left); // which takes that folder away as well
    left.learnRounds(7);
    assertThat(left.published().ledger())
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(left.expectedDigests(events));
  }

  @Test
  void takesNothingFromAModelOverRounds() {
    Trial trial = trial("sliced").with(Layout.ROUNDS);
    cluster.send(trial.topic(), Trial.events(8, 1));
    trial.learnRounds(2);
    Set<String> before = cluster.topics();
    SottoException refused = refusal(trial);
    assertThat(refused.kind()).isEqualTo(FailureKind.REFUSED);
    assertThat(refused).hasMessageContainingAll("newest rounds only", "Keep the state");
    assertThat(cluster.topics()).isEqualTo(before);
  }
}
