package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.broker.BrokerSettings;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong from the beginning is told before anything runs: what, where, and what to do. */
class StartFailuresIT {
  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private Trial trial(String app) {
    return Trial.of(app, folder, cluster.clients());
  }

  /** The failure to start; where it did start after all, the test fails. */
  static SottoException failure(LearnerService service) {
    long began = System.nanoTime();
    try (service) {
      SottoException failure = catchThrowableOfType(SottoException.class, service::start);
      assertThat(failure).isNotNull();
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Trial.PATIENCE);
      return failure;
    }
  }

  static SottoException failure(Trial trial) {
    return failure(new LearnerService(trial.learner(), trial.service()));
  }

  @Test
  void namesAMissingTopic() {
    Trial trial = trial("missing");
    SottoException failure = failure(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC);
    assertThat(failure)
        .hasMessageContainingAll(
            "missing-events: does not exist",
            cluster.clients().get("bootstrap.servers"),
            "--create --topic missing-events",
            "events.topic");
    assertThat(cluster.topics()).noneMatch(topic -> topic.startsWith("missing"));
  }

  @Test
  void saysThatNoBrokerListens() {
    String nobody = "127.0.0.1:" + BrokerSettings.freePort();
    SottoException failure =
        failure(Trial.of("nobody", folder, Map.of("bootstrap.servers", nobody)));
    assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
    assertThat(failure).hasMessageContainingAll(nobody, "check bootstrap.servers");
  }

  @Test
  void saysThatWhatListensIsNoBroker() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      String servers = "127.0.0.1:" + mute.getLocalPort();
      SottoException failure =
          failure(Trial.of("mute", folder, Map.of("bootstrap.servers", servers))
              .withClients(Map.of("default.api.timeout.ms", "4000", "request.timeout.ms", "3000")));
      assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
      assertThat(failure).hasMessageContainingAll(servers, "check bootstrap.servers");
    }
  }

  @Test
  void saysThatAHostHasNoAddress() {
    SottoException failure =
        failure(Trial.of("nowhere", folder, Map.of("bootstrap.servers", "nowhere.invalid:9092")));
    assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
    assertThat(failure).hasMessageContaining("nowhere.invalid:9092");
  }

  @Test
  void refusesACompactedEventTopic() {
    Trial trial = trial("compacted");
    cluster.createTopic(trial.topic(), 1, Map.of("cleanup.policy", "compact"));
    SottoException failure = failure(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC);
    assertThat(failure)
        .hasMessageContainingAll(trial.topic(), "cleanup.policy=compact", "cleanup.policy=delete");
  }

  @Test
  void refusesOneModelOverManyPartitionsInLayoutDirect() {
    Trial trial = trial("wide");
    cluster.createTopic(trial.topic(), 3, Map.of());
    SottoException failure = failure(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.CONFIGURATION);
    assertThat(failure)
        .hasMessageContainingAll(
            trial.topic() + ": 3 partitions", "1 partition in layout direct", "layout: ordered");
  }

  @Test
  void namesEverySettingOfExistingTopicsThatDoesNotFit() {
    Trial trial = trial("unfit").with(Layout.ORDERED);
    cluster.createTopic(trial.topic());
    cluster.createTopic(
        Names.ledger("unfit"),
        1,
        Map.of("retention.ms", "60000", "message.timestamp.type", "LogAppendTime"));
    cluster.createTopic(Names.snapshots("unfit"), 2, Map.of("min.compaction.lag.ms", "5"));
    cluster.createTopic(Names.order("unfit"), 1, Map.of("retention.ms", "-1"));
    SottoException failure = failure(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC);
    assertThat(
            failure.getMessage().lines().map(each -> each.replaceFirst("; [a-z-]+( |\\.).*", "")))
        .contains(
            "topic unfit.ledger: retention.ms=60000; needed: retention.ms=-1",
            "topic unfit.snapshots: 2 partitions; needed: 1 (1)",
            "topic unfit.snapshots: cleanup.policy=delete; needed: cleanup.policy=compact",
            "topic unfit.snapshots: min.compaction.lag.ms=5; needed: min.compaction.lag.ms=86400000"
                + " or more",
            "topic unfit.order: message.timestamp.type=CreateTime; needed:"
                + " message.timestamp.type=LogAppendTime");
  }

  /** As a version may have left it that asked for nothing, on brokers with a default of their own. */
  @Test
  void namesAChangelogThatForgetsDeletedKeysTooSoon() {
    Trial trial = trial("forgetful");
    cluster.createTopic(trial.topic());
    String changelog = Names.changelog("forgetful", Names.HEADS);
    Map<String, String> compacted =
        Map.of("cleanup.policy", "compact", "message.timestamp.type", "LogAppendTime");
    cluster.createTopic(changelog, 1, compacted);
    cluster.alterTopic(changelog, "delete.retention.ms", "3600000");
    SottoException failure = failure(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC);
    assertThat(failure)
        .hasMessageContainingAll(
            "topic forgetful-heads-changelog: delete.retention.ms=3600000; needed:"
                + " delete.retention.ms=86400000 or more",
            "--entity-name forgetful-heads-changelog --add-config delete.retention.ms=86400000");
    cluster.alterTopic(changelog, "delete.retention.ms", "86400001");
    trial.start().close();
  }

  @Test
  void saysThatThereAreTooFewBrokersForTheReplicas() {
    Trial trial = trial("replicated");
    cluster.createTopic(trial.topic());
    ServiceSettings service = new ServiceSettings(
        cluster.clients(),
        folder,
        new ServiceSettings.FirstStart((short) 3, false, Duration.ofDays(1)),
        1,
        Duration.ofSeconds(10));
    SottoException failure = failure(new LearnerService(trial.learner(), service));
    assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC);
    assertThat(failure)
        .hasMessageContainingAll("create topic replicated.", "3", "topics.replication.factor");
  }

  @Test
  void namesAClientSettingThatKafkaRefuses() {
    Trial trial = trial("misspelt").withClients(Map.of("commit.interval.ms", "soon"));
    cluster.createTopic(trial.topic());
    SottoException failure = failure(trial);
    assertThat(failure.kind()).isEqualTo(FailureKind.CONFIGURATION);
    assertThat(failure).hasMessageContainingAll("commit.interval.ms", "soon");
  }
}
