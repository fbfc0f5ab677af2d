package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Versions of several rounds on a real broker, which stamps the records. */
class VersionsIT {
  private static final long INTERVAL = 2_000;
  private static final String CLOCK = "clock";

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    cluster.createTopic(CLOCK, 1, stamped("LogAppendTime"));
  }

  private static LearnerSettings settings(Trial trial, VersionSchedule versions) {
    LearnerSettings usual = trial.learner();
    Plan plan = usual.plan().toBuilder().versions(versions).build();
    return new LearnerSettings(
        usual.app(),
        usual.layout(),
        new LearnerSettings.Events(usual.eventTopic(), usual.modelIds(), usual.decoder()),
        new LearnerSettings.Run(plan, usual.key(), usual.label()),
        usual.cadence());
  }

  private static Map<String, String> stamped(String by) {
    return Map.of("message.timestamp.type", by);
  }

  @Test
  void refusesATopicThatProducersDate() {
    Trial trial = Trial.of("dated", folder, cluster.clients());
    cluster.createTopic(trial.topic(), 1, stamped("CreateTime"));
    LearnerSettings settings = settings(trial, new VersionSchedule(1_000, 500));
    try (LearnerService service = new LearnerService(settings, trial.service())) {
      assertThatThrownBy(service::start)
          .hasMessageContaining("message.timestamp.type=LogAppendTime for release.interval.ms")
          .hasMessageContaining("message.timestamp.type=CreateTime; needed")
          .isInstanceOfSatisfying(
              SottoException.class,
              failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC));
    }
    send(trial, 3, 1);
    cluster.alterTopic(trial.topic(), "message.timestamp.type", "LogAppendTime");
    try (LearnerService service = new LearnerService(settings, trial.service())) {
      assertThatThrownBy(service::start)
          .hasMessageContaining("record 0 of dated-events-0 was dated by its producer");
    }
  }

  /** Two bursts with a pause between them, stopped and started inside a version. */
  @Test
  void cutsVersionsByTheTimesOfTheBroker() {
    Trial trial = Trial.of("timed", folder, cluster.clients());
    cluster.createTopic(trial.topic(), 1, stamped("LogAppendTime"));
    LearnerSettings settings = settings(trial, new VersionSchedule(1_000, INTERVAL));
    send(trial, 18, 1); // rounds 1 to 4, and two slots more
    try (LearnerService service = new LearnerService(settings, trial.service())) {
      service.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(service::isRunning);
      awaitInterval();
      assertThat(trial.published().ledger()).isEmpty();
    }
    send(trial, 14, 2); // the first of them ends the interval: round 5 closes a version
    try (LearnerService service = new LearnerService(settings, trial.service())) {
      service.start();
      awaitVersions(trial, service, 1);
      awaitInterval();
      send(trial, 5, 3); // 37 slots: round 9 is the first that closes beyond the interval
      awaitVersions(trial, service, 2);
    }
    assertThat(trial.published().ledger())
        .extracting(LedgerEntry::firstRound, LedgerEntry::round)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1L, 5L),
            org.assertj.core.groups.Tuple.tuple(6L, 9L));
    Verification verification = new Verification(
        settings, recorded(trial), new PublishedTopics(cluster.clients(), trial.app()));
    assertThat(verification.run().outcome()).isEqualTo(Outcome.EQUAL);
  }

  /** Until the broker, by whose clock the next events are dated, is beyond the interval. */
  private static void awaitInterval() {
    long end = brokerTime() + INTERVAL;
    Awaitility.await().until(() -> brokerTime() > end);
  }

  private static long brokerTime() {
    try (var producer = cluster.producer(Map.of())) {
      return Cluster.get(producer.send(new ProducerRecord<>(CLOCK, new byte[0])))
          .timestamp();
    }
  }

  private static void send(Trial trial, int count, long seed) {
    // One batch, which has one time of the broker.
    try (var producer = cluster.producer(Map.of("linger.ms", 2000, "batch.size", 1 << 20))) {
      List<byte[]> events = Trial.events(count, seed);
      // What a producer says of the time has no effect.
      events.forEach(
          each -> producer.send(new ProducerRecord<>(trial.topic(), 0, 1_000_000L, null, each)));
    } catch (TimeoutException silent) {
      throw new AssertionError(silent);
    }
  }

  private static void awaitVersions(Trial trial, LearnerService service, int versions) {
    Awaitility.await()
        .atMost(Trial.PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> {
          assertThat(service.failure()).isNull();
          assertThat(trial.published().ledger()).hasSizeGreaterThanOrEqualTo(versions);
        });
  }

  private static InMemoryRecording recorded(Trial trial) {
    InMemoryRecording.Builder made = InMemoryRecording.of(trial.topic()).partition(0, 0);
    List<Long> times = new ArrayList<>();
    try (CommittedTopic topic = new CommittedTopic(cluster.clients(), trial.topic())) {
      topic.readToEnd(each -> {
        times.add(each.timestamp());
        made.add(0, each.offset(), each.timestamp(), each.key(), each.value(), each.headers());
      });
    }
    assertThat(times).allMatch(each -> each > 1_000_000L);
    return made.build();
  }
}
