package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.preflight.Preflight;
import dev.sotto.app.preflight.PreflightFinding;
import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.app.preflight.PreflightFindings;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.evaluation.volume.ExpectedLoad;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a preflight says of a real cluster, sound and broken. */
class PreflightIT {
  private static final Duration DAY = Duration.ofDays(1);

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private Trial trial(String app) {
    return Trial.of(app, folder, cluster.clients());
  }

  static SottoConfig config(Trial trial) {
    return new SottoConfig(
        trial.learner(),
        trial.service(),
        Optional.empty(),
        EffectiveSettings.NONE.with(EventKeys.MAX_BYTES, 1 << 20),
        List.of());
  }

  private static List<PreflightFinding> faults(PreflightFindings findings) {
    return findings.all().stream().filter(each -> each.level() == Level.FAULT).toList();
  }

  private static List<PreflightFinding> faults(Trial trial) {
    return faults(Preflight.run(config(trial), DAY));
  }

  private static void fault(
      PreflightFindings findings, String subject, String found, String needed, String fix) {
    assertThat(faults(findings)).anySatisfy(each -> {
      assertThat(each.subject()).isEqualTo(subject);
      assertThat(each.found()).contains(found);
      assertThat(each.needed()).contains(needed);
      assertThat(each.fix()).contains(fix);
    });
  }

  @ParameterizedTest
  @EnumSource
  void findsNoFaultBeforeTheFirstStartAndNoneAfterIt(Layout layout) {
    Trial trial = trial("fit-" + layout.configName()).with(layout);
    cluster.createTopic(trial.topic());
    Set<String> before = cluster.topics();
    PreflightFindings first = Preflight.run(config(trial), DAY);
    assertThat(faults(first)).isEmpty();
    assertThat(own(cluster.topics())).as("it changes nothing").isEqualTo(own(before));
    assertThat(folder).as("nor here").isEmptyDirectory();
    assertThat(TextRenderer.of(first.describe()))
        .contains("can be created", "no entry yet", "does not exist yet");

    cluster.send(trial.topic(), Trial.events(10, 1));
    trial.learnRounds(2);
    PreflightFindings second = Preflight.run(config(trial), DAY);
    assertThat(faults(second)).isEmpty();
    assertThat(TextRenderer.of(second.describe()))
        .contains("round 2 of model model", "of this run", "no other members", "all are still held")
        .doesNotContain("can be created");
  }

  /** Partitions by turns, as a producer with another partitioner would have it for other keys. */
  @Test
  void namesAPartitionerByWhichNoModelIsFound() throws Exception {
    Trial trial = trial("scattered");
    LearnerSettings one = trial.learner();
    LearnerSettings byKey = new LearnerSettings(
        one.app(),
        one.layout(),
        new LearnerSettings.Events(
            one.eventTopic(), new ModelIdRule(ModelIdRule.Source.KEY, ""), one.decoder()),
        new LearnerSettings.Run(one.plan(), one.key(), one.label()),
        one.cadence());
    SottoConfig config = new SottoConfig(
        byKey,
        trial.service(),
        Optional.empty(),
        EffectiveSettings.NONE.with(EventKeys.MAX_BYTES, 1 << 20),
        List.of());
    cluster.createTopic(trial.topic(), 8, Map.of());
    String subject = "partitions of " + trial.topic();
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < 80; i++) {
        producer.send(new ProducerRecord<>(
            trial.topic(), ("secret" + i).getBytes(StandardCharsets.UTF_8), null));
      }
      producer.flush();
      assertThat(TextRenderer.of(Preflight.run(config, DAY).describe()))
          .contains(subject + ": ids lie in the partition of Kafka's murmur2");
      for (int i = 0; i < 400; i++) {
        byte[] key = ("secret" + i).getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(trial.topic(), i % 8, key, null));
      }
    }
    PreflightFindings findings = Preflight.run(config, DAY);
    fault(findings, subject, "most of the newest records do not lie", "one partitioner", "murmur2");
    assertThat(TextRenderer.of(findings.describe())).doesNotContain("secret");
  }

  private static List<String> own(Set<String> topics) {
    return topics.stream().filter(each -> !each.startsWith("__")).sorted().toList();
  }

  @Test
  void saysThatNoBrokerAnswers() {
    Trial nowhere = trial("nowhere")
        .withClients(Map.of(
            "bootstrap.servers",
            "127.0.0.1:1",
            "admin.default.api.timeout.ms",
            "2000",
            "admin.request.timeout.ms",
            "1000"));
    PreflightFindings findings = Preflight.run(config(nowhere), DAY);
    fault(findings, "cluster", "no broker answered", "127.0.0.1:1", "bootstrap.servers");
    assertThat(TextRenderer.of(findings.describe()))
        .contains("FAULT")
        .containsPattern("(?m)^FAULT +cluster: ");
  }

  @Test
  void saysThatTheEventTopicIsMissing() {
    PreflightFindings findings = Preflight.run(config(trial("absent")), DAY);
    fault(findings, "event topic absent-events", "does not exist", "topic", "kafka-topics.sh");
  }

  @Test
  void namesEverythingThatIsWrongWithTheEventTopic() {
    Trial trial = trial("lossy");
    cluster.createTopic(
        trial.topic(), 2, Map.of("cleanup.policy", "compact,delete", "retention.ms", "3600000"));
    String subject = "event topic lossy-events";
    PreflightFindings findings = Preflight.run(config(trial), DAY);
    fault(findings, subject, "2 partitions", "1 partition", "layout: ordered");
    fault(findings, subject, "cleanup.policy=", "delete", "--add-config cleanup.policy=delete");
    fault(
        findings, subject, "retention.ms=3600000 (1 h)", "86400000 (24 h", "retention.ms=86400000");
    assertThat(faults(Preflight.run(config(trial.with(Layout.ORDERED)), Duration.ofHours(1))))
        .hasSize(1); // the compaction
  }

  /** Blocks of 4088 slots, in many passes. */
  private SottoConfig blocks(String app, String more) {
    String yaml =
        """
        app.id: %s
        bootstrap.servers: %s
        events.topic: %s-events
        features.numeric.x: {field: x, min: -1, max: 1}
        label.field: y
        loss: logistic
        algorithm: localized-erm
        block.slots: 4096
        privacy: {epsilon: 1, delta: 1e-6}
        noise.key.env: KEY
        state.dir: %s
        """.formatted(app, cluster.clients().get("bootstrap.servers"), app, folder) + more;
    return SottoConfig.load(
        ConfigSource.of("blocks.yaml", yaml).withEnvironment(Map.of("KEY", "00".repeat(32))));
  }

  private static List<PreflightFinding> aboutBlocks(SottoConfig config) {
    return Preflight.run(config, Duration.ofHours(1)).all().stream()
        .filter(each -> each.subject().startsWith("event topic"))
        .filter(each -> each.found().contains("block") || each.needed().contains("block"))
        .toList();
  }

  @Test
  void comparesRetentionWithTheTimeThatABlockTakes() throws Exception {
    long hour = 3_600_000;
    cluster.createTopic("block-events", 1, Map.of("retention.ms", Long.toString(48 * hour)));
    SottoConfig direct = blocks("block", "layout: direct");
    assertThat(aboutBlocks(direct)).singleElement().satisfies(each -> {
      assertThat(each.level()).isEqualTo(Level.WARNING);
      assertThat(each.found()).contains("retention.ms=172800000 (2 days)", "is unknown");
    });
    long now = System.currentTimeMillis();
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i <= 360; i++) { // one a minute: a block fills in 68 hours
        long time = now - 6 * hour + i * 60_000L;
        producer.send(new ProducerRecord<>("block-events", 0, time, null, new byte[1]));
      }
    }
    String subject = "event topic block-events";
    fault(
        Preflight.run(direct, Duration.ofHours(1)),
        subject,
        "a block of 4088 events fills in about 68 h (0.0167 events a second",
        "3 times as long",
        "block-events --add-config retention.ms=7");
    cluster.alterTopic("block-events", "retention.ms", Long.toString(100 * hour));
    assertThat(aboutBlocks(direct))
        .singleElement()
        .satisfies(each -> assertThat(each.level()).isEqualTo(Level.WARNING));
    cluster.alterTopic("block-events", "retention.ms", Long.toString(210 * hour));
    cluster.alterTopic("block-events", "retention.bytes", "1000000");
    assertThat(aboutBlocks(direct))
        .extracting(PreflightFinding::level)
        .containsExactly(Level.OK, Level.WARNING);
    assertThat(aboutBlocks(blocks("block", "layout: ordered")))
        .extracting(PreflightFinding::level)
        .containsExactly(Level.OK, Level.WARNING);
    assertThat(aboutBlocks(blocks("block", "layout: direct\nmodel.id.source: key")))
        .extracting(PreflightFinding::level)
        .containsExactly(Level.WARNING, Level.WARNING);
  }

  @Test
  void saysThatATransactionIsTooLongForItsTimeout() {
    Trial trial = trial("wide").withModel(1 << 22, 4, null);
    cluster.createTopic(trial.topic());
    assertThat(Preflight.run(config(trial), DAY).all())
        .filteredOn(each -> each.subject().equals("transaction.timeout.ms"))
        .anySatisfy(each -> {
          assertThat(each.level()).isEqualTo(Level.WARNING);
          assertThat(each.found()).contains("one transaction writes up to ");
          assertThat(each.fix()).contains("set transaction.timeout.ms: ");
        });
    assertThat(Preflight.run(config(trial("wide")), DAY).all())
        .filteredOn(each -> each.subject().equals("transaction.timeout.ms"))
        .allSatisfy(each -> assertThat(each.level()).isEqualTo(Level.OK));
  }

  @Test
  void saysWhatWillBeHeldAtTheRateOfLate() throws Exception {
    Trial trial = trial("bulky");
    cluster.createTopic(trial.topic());
    assertThat(TextRenderer.of(Preflight.run(config(trial), DAY).describe()))
        .contains("how fast events arrive is unknown", "unless --rate says otherwise")
        .contains("volume: 1000 events a second of perhaps 500 bytes. A version ")
        .contains("volume of bulky.ledger: ");
    long now = System.currentTimeMillis();
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i <= 120; i++) { // one a second
        producer.send(
            new ProducerRecord<>(trial.topic(), 0, now - 120_000 + i * 1000L, null, new byte[400]));
      }
    }
    cluster.createTopic(
        Names.snapshots("bulky"),
        1,
        Map.of(
            "cleanup.policy",
            "compact",
            "message.timestamp.type",
            "LogAppendTime",
            "min.compaction.lag.ms",
            "604800000"));
    PreflightFindings findings = Preflight.run(config(trial), DAY);
    assertThat(TextRenderer.of(findings.describe()))
        .contains("volume: 1.01 events a second of perhaps 500 bytes at present. A version ")
        .containsPattern("volume of bulky.ledger: [0-9.]+ MB a day, at most no bound; not bounded")
        .contains("every version is kept for 7 days");
    ExpectedLoad small = new ExpectedLoad(
        OptionalDouble.empty(),
        OptionalLong.of(400),
        OptionalInt.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
    assertThat(Preflight.run(config(trial), DAY, small).all()) // four slots a version
        .filteredOn(each -> each.subject().equals("volume of bulky.snapshots"))
        .anySatisfy(each -> {
          assertThat(each.level()).isEqualTo(Level.WARNING);
          assertThat(each.fix()).contains("release.every.slots");
        });
    assertThat(faults(findings)).isEmpty();
  }

  /** Before there is an event, or a topic. */
  @Test
  void saysWhatWillBeHeldOfEventsThatAreExpected() {
    Trial trial = trial("expected");
    ExpectedLoad load = new ExpectedLoad(
        OptionalDouble.of(10_000),
        OptionalLong.of(800),
        OptionalInt.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
    String missing = TextRenderer.of(Preflight.run(config(trial), DAY, load).describe());
    cluster.createTopic(trial.topic());
    String empty = TextRenderer.of(Preflight.run(config(trial), DAY, load).describe());
    assertThat(List.of(missing, empty))
        .allSatisfy(each -> assertThat(each)
            .contains("events a second (--rate) of 800 bytes (--record-bytes). A version ")
            .contains("volume of expected.ledger: ", "volume of state.dir: ")
            .doesNotContain("is unknown: expected"));
  }

  @Test
  void namesEverySettingOfItsOwnTopicsThatIsNotAsNeeded() {
    Trial trial = trial("odd");
    cluster.createTopic(trial.topic());
    cluster.createTopic(
        Names.ledger("odd"),
        2,
        Map.of("retention.ms", "1000", "message.timestamp.type", "LogAppendTime"));
    cluster.createTopic(Names.snapshots("odd"), 1, Map.of("cleanup.policy", "delete"));
    PreflightFindings findings = Preflight.run(config(trial), DAY);
    fault(findings, "topic odd.ledger", "retention.ms=1000", "retention.ms=-1", "retention.ms=-1");
    fault(findings, "topic odd.ledger", "2 partitions", "1 (", "no partition away");
    fault(
        findings,
        "topic odd.snapshots",
        "cleanup.policy=delete",
        "cleanup.policy=compact",
        "--entity-name odd.snapshots --add-config cleanup.policy=compact");
    fault(
        findings,
        "topic odd.snapshots",
        "min.compaction.lag.ms=0",
        "86400000 or more",
        "kafka-configs");
  }

  /** The fix that it prints, done. */
  @Test
  void isContentOnceItsFixIsDone() {
    Trial trial = trial("mended");
    cluster.createTopic(trial.topic(), 1, Map.of("retention.ms", "1000"));
    assertThat(faults(trial))
        .hasSize(1)
        .first()
        .satisfies(each -> assertThat(each.fix())
            .endsWith("--entity-name mended-events --add-config retention.ms=86400000"));
    alter(trial.topic(), "retention.ms", "86400000");
    Awaitility.await().untilAsserted(() -> assertThat(faults(trial)).isEmpty());
  }

  private static void alter(String topic, String name, String value) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    Cluster.get(cluster
        .admin()
        .incrementalAlterConfigs(Map.of(resource, List.of(set)))
        .all()
        .toCompletionStage()
        .toCompletableFuture());
  }

  @Test
  void comparesTimesReplicationAndReplicasInSync() {
    Trial trial = trial("slow")
        .withClients(Map.of("commit.interval.ms", "5000", "consumer.session.timeout.ms", "100"));
    cluster.createTopic(trial.topic(), 1, Map.of("min.insync.replicas", "2"));
    ServiceSettings service = trial.service();
    ServiceSettings wrong = new ServiceSettings(
        service.clients(),
        service.stateFolder(),
        new ServiceSettings.FirstStart((short) 3, false, service.historyHorizon()),
        1,
        Duration.ofMinutes(20));
    SottoConfig config = new SottoConfig(
        trial.learner(),
        wrong,
        Optional.empty(),
        EffectiveSettings.NONE.with(EventKeys.MAX_BYTES, 1 << 20),
        List.of());
    PreflightFindings findings = Preflight.run(config, DAY);
    fault(
        findings, "transaction.timeout.ms", "1200000", "900000", "transaction.timeout.ms: 900000");
    fault(findings, "replication", "3, 1 broker", "at most 1", "topics.replication.factor: 1");
    fault(findings, "topic slow.ledger", "replication", "a topic", "");
    fault(findings, "replication of topic slow-events", "min.insync.replicas=2", "at most 1", "=1");
    fault(findings, "group.protocol", "100 ms", "at least 1000", "session.timeout.ms: 1000");
    fault(
        Preflight.run(config(trial), DAY),
        "transaction.timeout.ms",
        "10000, commit.interval.ms=5000",
        "at least 3 commit intervals",
        "transaction.timeout.ms: 15000");
  }

  @Test
  void saysWhoElseRunsAndWhenAKilledOneIsMissed() {
    Trial trial = trial("shared");
    cluster.createTopic(trial.topic());
    try (LearnerService service = trial.start()) {
      Awaitility.await().until(service::isRunning);
      PreflightFindings findings = Preflight.run(config(trial), DAY);
      assertThat(TextRenderer.of(findings.describe()))
          .contains("state Stable, 1 member: ", "in use by an instance on this machine")
          .contains("classic: a killed instance is missed after 6 s");
      assertThat(faults(findings)).isEmpty();
    }
    PreflightFindings streams =
        Preflight.run(config(trial.withClients(Map.of("group.protocol", "streams"))), DAY);
    assertThat(TextRenderer.of(streams.describe()))
        .contains(
            "group.streams.session.timeout.ms decides when a killed instance is missed: after 45 s");
    assertThat(faults(streams)).isEmpty();
  }

  @Test
  void knowsALedgerOfAnotherRun() {
    Trial trial = trial("rerun");
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(10, 1));
    trial.learnRounds(2);
    byte[] other = new byte[32];
    other[0] = 1;
    String subject = "ledger rerun.ledger, partition 0";
    fault(
        Preflight.run(config(trial.withKey(other)), DAY), subject, "noise key", "noise key", "put");
    fault(
        Preflight.run(config(trial.withModel(Trial.DIMENSION, 5, null)), DAY),
        subject,
        "configuration",
        "configuration",
        "put the old settings back");
  }

  @Test
  void knowsWhenStateLedgerAndLogDoNotFit() throws InterruptedException {
    Trial trial = trial("torn");
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(10, 1));
    trial.learnRounds(2);
    cluster.send(trial.topic(), Trial.events(10, 2));
    cluster.deleteRecords(trial.topic(), 0, 9); // of the open round, which begins at 8
    cluster.deleteTopic(Names.ledger("torn"));
    PreflightFindings findings = Preflight.run(config(trial), DAY);
    fault(
        findings,
        "state, partition 0",
        "has paid for ledger entry 2, the ledger ends at 0",
        "a ledger",
        "restore");
    fault(findings, "records of torn-events-0", "begin at offset 9", "all records", "new app.id");
    assertThat(TextRenderer.of(findings.describe()))
        .doesNotContain("offset 8"); // a committed one is inside
    cluster.deleteTopic(trial.topic());
    cluster.createTopic(trial.topic());
    fault(
        Preflight.run(config(trial), DAY),
        "state, partition 0",
        "belongs to topic id",
        "the very topic",
        "restore the topic");
  }

  @Test
  void looksAtTheStateFolder() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "no folder");
    Trial trial = trial("folder").withFolder(file.resolve("state"));
    cluster.createTopic(trial.topic());
    fault(
        Preflight.run(config(trial), DAY),
        "state.dir",
        "is a file",
        "a folder that can be written",
        "correct state.dir");
  }
}
