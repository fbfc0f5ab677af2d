package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Models at home in partitions, whose topic gets one more: keys would move to it, and a model that
 * moves would spend its budget twice. Layout ordered goes on ({@link OrderedIT}).
 */
class AddedPartitionsIT {
  private static final int MODELS = 6;
  private static final int ROUNDS = 4; // of each model

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private Trial trial(String app) {
    return Trial.of(app, folder, cluster.clients())
        .withClients(Map.of("metadata.max.age.ms", "1000"));
  }

  private static LearnerService service(Trial trial, ModelIdRule.Source ids) {
    LearnerSettings one = trial.learner();
    LearnerSettings.Events events =
        new LearnerSettings.Events(one.eventTopic(), new ModelIdRule(ids, "model"), one.decoder());
    return new LearnerService(
        new LearnerSettings(one.app(), one.layout(), events, one.run(), one.cadence()),
        trial.service());
  }

  /** A round's slots, or several, of each of six keys; where they go, their keys decide. */
  private static void send(Trial trial, int rounds) {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of())) {
      for (int model = 0; model < MODELS; model++) {
        byte[] key = ("key-" + model).getBytes(StandardCharsets.UTF_8);
        for (byte[] event : Trial.events((int) trial.batch() * rounds, model)) {
          producer.send(new ProducerRecord<>(trial.topic(), key, event));
        }
      }
    }
  }

  private static String named(String prefix, ModelIdRule.Source ids) {
    return prefix + "-" + ids.name().toLowerCase(Locale.ROOT);
  }

  /** What a start says once there is a partition more; nothing is published. */
  private static void requireRefusal(Trial trial, ModelIdRule.Source ids) {
    send(trial, 1);
    List<String> before = trial.published().bytes();
    try (LearnerService service = service(trial, ids)) {
      SottoException refusal = catchThrowableOfType(SottoException.class, service::start);
      assertThat(refusal.kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(refusal)
          .hasMessageContainingAll(
              trial.topic(),
              "had 2 partitions",
              "now it has 3",
              "models would move",
              "no partition away",
              "new app.id",
              "start.from");
    }
    assertThat(trial.published().bytes()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(value = ModelIdRule.Source.class, names = "KEY")
  void saysWhatItMeansWhileItRuns(ModelIdRule.Source ids) {
    Trial trial = trial(named("running", ids));
    cluster.createTopic(trial.topic(), 2, Map.of());
    send(trial, ROUNDS);
    try (LearnerService service = service(trial, ids)) {
      service.start();
      trial.awaitRounds(service, MODELS * ROUNDS);
      cluster.addPartitions(trial.topic(), 3);
      send(trial, 1);
      Awaitility.await().atMost(Trial.PATIENCE.multipliedBy(2)).until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(service.failure())
          .hasMessageContainingAll(
              trial.topic(),
              "had 2 partitions",
              "now it has 3",
              "models would move",
              "no partition away",
              "new app.id",
              "start.from");
    }
    requireRefusal(trial, ids);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = ModelIdRule.Source.class,
      names = {"KEY", "PARTITION"})
  void saysWhatItMeansAtTheNextStart(ModelIdRule.Source ids) {
    Trial trial = trial(named("stopped", ids));
    cluster.createTopic(trial.topic(), 2, Map.of());
    send(trial, ROUNDS);
    try (LearnerService service = service(trial, ids)) {
      service.start();
      trial.awaitRounds(service, MODELS * ROUNDS);
    }
    cluster.addPartitions(trial.topic(), 3);
    requireRefusal(trial, ids);
  }

  /** A model over rounds takes as many slots of each partition. */
  @Test
  void saysWhatItMeansToRounds() {
    Trial trial = trial("running-rounds").with(Layout.ROUNDS).withModel(Trial.DIMENSION, 6, null);
    cluster.createTopic(trial.topic(), 2, Map.of());
    cluster.send(trial.topic(), 0, Trial.events(15, 1));
    cluster.send(trial.topic(), 1, Trial.events(15, 2));
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 4);
      cluster.addPartitions(trial.topic(), 3);
      cluster.send(trial.topic(), 2, Trial.events(15, 3));
      Awaitility.await().atMost(Trial.PATIENCE.multipliedBy(2)).until(service::hasEnded);
      assertThat(service.failure().kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(service.failure())
          .hasMessageContainingAll(
              "had 2 partitions", "now it has 3", "which slots make a round", "start.from");
    }
    requireSlices(trial, 3);
    cluster.addPartitions(trial.topic(), 4); // of which the batch, 6, is no multiple
    requireSlices(trial, 4);
  }

  private static void requireSlices(Trial trial, int partitions) {
    List<String> before = trial.published().bytes();
    try (LearnerService service = new LearnerService(trial.learner(), trial.service())) {
      SottoException refusal = catchThrowableOfType(SottoException.class, service::start);
      assertThat(refusal.kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(refusal)
          .hasMessageContainingAll(
              "had 2 partitions",
              "now it has " + partitions,
              "which slots make a round",
              "start.from");
    }
    assertThat(trial.published().bytes()).isEqualTo(before);
  }
}
