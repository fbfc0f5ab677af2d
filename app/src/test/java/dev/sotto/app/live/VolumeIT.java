package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.TopicVolume;
import dev.sotto.evaluation.volume.VolumeForecast;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Node;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A day in little: bytes that a learner really leaves in the logs of a broker, against those that
 * {@code plan} prints. Events are many for the time that they take, and versions short, so that a
 * run of seconds has the records of a long one.
 */
class VolumeIT {
  private static final int EVENTS = 24_000;
  private static final int PARTITIONS = 2;
  private static final double DAY = 86_400;

  private static Cluster cluster;

  @TempDir
  private Path folder;

  @BeforeAll
  static void start() {
    cluster = Cluster.embedded();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private SottoConfig config(String app, Layout layout) {
    String text = """
        app.id: %s
        layout: %s
        events.topic: %s-events
        events.format: example
        features.dimension: 100
        loss: logistic
        clip.norm: 1
        batch.size: 16
        release.every.slots: 96
        state.every.rounds: 12
        checkpoint.interval.ms: 1000
        privacy.epsilon: 2
        privacy.delta: 1e-6
        noise.key.env: KEY
        model.id.source: %s
        model.id: m
        state.dir: %s
        topics.replication.factor: 1
        """.formatted(
            app,
            layout.configName(),
            app,
            layout == Layout.DIRECT ? "partition" : "constant",
            folder.resolve("state"));
    return load(cluster, text);
  }

  static SottoConfig load(Cluster cluster, String text) {
    return SottoConfig.load(ConfigSource.of("test.yaml", text)
            .withEnvironment(Map.of("KEY", "01".repeat(32)))
            .withEmbedded(true))
        .withBootstrapServers(cluster.clients().get("bootstrap.servers"));
  }

  /** What lies in the logs, in all partitions of each topic. */
  static Map<String, Long> sizes(Cluster cluster) {
    Map<String, Long> all = new TreeMap<>();
    List<Integer> nodes = Cluster.get(cluster.admin().describeCluster().nodes()).stream()
        .map(Node::id)
        .toList();
    Cluster.get(cluster.admin().describeLogDirs(nodes).allDescriptions())
        .values()
        .forEach(broker -> broker
            .values()
            .forEach(disk -> disk.replicaInfos()
                .forEach((where, replica) -> all.merge(where.topic(), replica.size(), Long::sum))));
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void writesNoMoreThanThePlanPrints(Layout layout) {
    String app = "volume-" + layout.configName();
    SottoConfig config = config(app, layout);
    cluster.createTopic(app + "-events", PARTITIONS, Map.of());
    byte[] event = ExampleCodec.encodeDense(null, null, new double[100], 1, 1);
    int count = layout == Layout.DIRECT ? EVENTS : EVENTS / 6; // each round is two hops
    List<byte[]> events = new ArrayList<>(Collections.nCopies(count / PARTITIONS, event));
    for (int partition = 0; partition < PARTITIONS; partition++) {
      cluster.send(app + "-events", partition, events);
    }
    int versions = count / 96 - PARTITIONS;
    Map<String, Long> before = sizes(cluster);
    long begin = System.nanoTime();
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
        assertThat(service.failure()).isNull();
        assertThat(Published.read(cluster.clients(), Names.ledger(app)).size())
            .isGreaterThanOrEqualTo(versions);
      });
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    long models = layout == Layout.DIRECT ? PARTITIONS : 1;
    VolumeScenario scenario = new VolumeScenario(
        config.learner(),
        config.service(),
        new Load(count / seconds, event.length, PARTITIONS, models, 0));
    Map<String, Long> after = sizes(cluster);
    for (TopicVolume each : VolumeForecast.of(scenario)) {
      long written = after.getOrDefault(each.topic(), 0L) - before.getOrDefault(each.topic(), 0L);
      double forecast = each.bytesPerDay() * seconds / DAY;
      if (each.topic().equals(app + "-events") || forecast == 0) {
        continue;
      }
      assertThat((double) written).as(each.topic()).isPositive();
      assertThat((double) written).as(each.topic()).isLessThanOrEqualTo(forecast);
      if (each.topic().equals(Names.ledger(app)) || each.topic().equals(Names.snapshots(app))) {
        assertThat((double) written).as(each.topic()).isGreaterThan(0.75 * forecast);
      }
    }
  }
}
