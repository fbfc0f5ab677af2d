package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.Evictions;
import dev.sotto.evaluation.volume.TopicVolume;
import dev.sotto.evaluation.volume.VolumeForecast;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A day in little: bytes that a learner really leaves in the logs of a broker, against those that
 * {@code plan} prints. Events are many for the time that they take, and versions short, so that a
 * run of seconds has the records of a long one.
 */
@Tag("long")
class VolumeIT {
  private static final int EVENTS = 24_000;
  private static final int PARTITIONS = 2;
  private static final double DAY = 86_400;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  private Path folder;

  private SottoConfig config(String app, Layout layout) {
    return load(cluster, text(app, layout));
  }

  private String text(String app, Layout layout) {
    return """
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
    Map<String, Long> before = sizes(cluster);
    double seconds = learn(config, count / 96 - PARTITIONS);
    long models = layout == Layout.DIRECT ? PARTITIONS : 1;
    Load load = new Load(count / seconds, event.length, PARTITIONS, models, 0);
    Map<String, Double> shares =
        compare(before, new VolumeScenario(config.learner(), config.service(), load), seconds);
    assertThat(shares.get(Names.ledger(app))).isGreaterThan(0.75);
    assertThat(shares.get(Names.snapshots(app))).isGreaterThan(0.75);
  }

  /** Sixty models whose events come mixed, with room for six in each partition. */
  @Test
  void writesNoMoreThanThePlanPrintsWhereModelsGiveWay() {
    String app = "volume-mixed";
    SottoConfig config = load(
        cluster,
        text(app, Layout.DIRECT)
            .replace("source: partition", "source: key")
            .replace("model.id: m", "models.heap.mb: 1")
            .replace("dimension: 100", "dimension: 500")
            .replace("interval.ms: 1000", "interval.ms: 60000"));
    cluster.createTopic(app + "-events", PARTITIONS, Map.of());
    int count = EVENTS / 2;
    int models = 60;
    Random random = Seed.random(1);
    byte[] event = ExampleCodec.encodeDense(null, null, random.doubles(500).toArray(), 1, 1);
    Map<String, Integer> sent = new TreeMap<>();
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of())) {
      for (int i = 0; i < count; i++) {
        String model = "model-" + random.nextInt(models);
        sent.merge(model, 1, Integer::sum);
        producer.send(
            new ProducerRecord<>(app + "-events", model.getBytes(StandardCharsets.UTF_8), event));
      }
    }
    Map<String, Long> before = sizes(cluster);
    double seconds =
        learn(config, sent.values().stream().mapToInt(each -> each / 96).sum());
    VolumeScenario scenario = new VolumeScenario(
        config.learner(),
        config.service(),
        new Load(count / seconds, event.length, PARTITIONS, models, 0));
    assertThat(Evictions.of(scenario).room()).isEqualTo(12);
    Map<String, Double> shares = compare(before, scenario, seconds);
    assertThat(shares.get(Names.changelog(app, Names.LEARNER))).isGreaterThan(0.4);
    assertThat(shares.get(Names.changelog(app, Names.HEADS))).isGreaterThan(0.4);
  }

  /** Learns until so many versions are committed; seconds that it took. */
  private static double learn(SottoConfig config, int versions) {
    long begin = System.nanoTime();
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      Awaitility.await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> {
        assertThat(service.failure()).isNull();
        assertThat(
                Published.read(cluster.clients(), Names.ledger(config.learner().app()))
                    .size())
            .isGreaterThanOrEqualTo(versions);
      });
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  /** Nothing holds more than its forecast; how much of that each holds. */
  private static Map<String, Double> compare(
      Map<String, Long> before, VolumeScenario scenario, double seconds) {
    Map<String, Double> shares = new TreeMap<>();
    Map<String, Long> after = sizes(cluster);
    for (TopicVolume each : VolumeForecast.of(scenario)) {
      long written = after.getOrDefault(each.topic(), 0L) - before.getOrDefault(each.topic(), 0L);
      double forecast = each.bytesPerDay() * seconds / DAY;
      if (each.topic().equals(scenario.learner().eventTopic()) || forecast == 0) {
        continue;
      }
      assertThat((double) written).as(each.topic()).isPositive();
      assertThat((double) written).as(each.topic()).isLessThanOrEqualTo(forecast);
      shares.put(each.topic(), written / forecast);
    }
    return shares;
  }
}
