package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import dev.sotto.app.command.MainWithAFailingThread;
import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelPublisher;
import dev.sotto.client.Scorer;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.testbroker.ChildProcess;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.read.CommittedTopic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that scores is killed; another goes on: each event is scored once. A thread of that one
 * fails, and nothing but the product's own lines is printed.
 */
class ScoreIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int EVENTS = 4_000;
  private static final int BAD = 7;

  @TempDir
  private Path folder;

  static String features() {
    return FeatureMap.builder()
            .numeric("a", "a", 0, 1, Transform.IDENTITY, false)
            .numeric("b", "b", 0, 1, Transform.IDENTITY, true)
            .numeric("c", "c", 0, 1, Transform.IDENTITY, true)
            .hashBits(2)
            .categorical("city", "city", true)
            .label("label", new LabelRule.AsItIs())
            .build()
            .describe()
        + "events json\nmax-bytes 1000\n";
  }

  private Process score(Cluster cluster, String name, Class<?> main) throws IOException {
    Path properties = folder.resolve("client.properties");
    // What a killed process has begun is given up after this time.
    Files.writeString(properties, "transaction.timeout.ms=4000\n");
    return ChildProcess.of(
            "-Xmx256m",
            "-Dsotto.log.dir=" + folder.resolve(name),
            "-Dlogback.configurationFile=logback.xml", // the product's, not that of the tests
            main.getName(),
            "score",
            "--bootstrap-server",
            cluster.clients().get("bootstrap.servers"),
            "--command-config",
            properties.toString(),
            "--app-id",
            "trips",
            "--from",
            "events",
            "--to",
            "predictions",
            "--dead-letters",
            "aside")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".out").toFile())
        .start();
  }

  private String printed(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".out"));
  }

  private static byte[] event(int i) {
    String text = i % BAD == 0
        ? "{\"b\":1}"
        : "{\"a\":" + i / (double) EVENTS + ",\"city\":\"c" + i % 5 + "\"}";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void send(Cluster cluster, int from, int to) {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of())) {
      for (int i = from; i < to; i++) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
            "events", i % 2, ("k" + i).getBytes(StandardCharsets.UTF_8), event(i));
        record.headers().add("trace", ("t" + i).getBytes(StandardCharsets.UTF_8));
        record.headers().add("sotto.version", "forged".getBytes(StandardCharsets.UTF_8));
        producer.send(record);
      }
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(Cluster cluster, String topic) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (CommittedTopic records = new CommittedTopic(cluster.clients(), topic)) {
      records.readToEnd(all::add);
    }
    return all;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  @Test
  void scoresEachEventOnceThoughItIsKilled() throws Exception {
    try (Cluster cluster = Cluster.shared();
        ModelPublisher publisher = new ModelPublisher(cluster, "trips", features())) {
      cluster.createTopic("events", 2, Map.of());
      cluster.createTopic("predictions", 2, Map.of());
      send(cluster, 0, EVENTS / 2);
      publisher.publish("model", 1, ModelPublisher.Fault.NONE);
      Process first = score(cluster, "first", Main.class);
      Process second = null;
      try {
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> first.isAlive() && !read(cluster, "predictions").isEmpty());
        send(cluster, EVENTS / 2, EVENTS);
        first.destroyForcibly().waitFor();
        publisher.publish("model", 2, ModelPublisher.Fault.NONE);
        second = score(cluster, "second", MainWithAFailingThread.class);
        send(cluster, EVENTS, EVENTS + 20);
        Awaitility.await().atMost(PATIENCE).until(() -> {
          int both =
              read(cluster, "predictions").size() + read(cluster, "aside").size();
          return both >= EVENTS + 20;
        });
        check(cluster);
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> printed("second").contains(MainWithAFailingThread.TOLD));
      } finally {
        first.destroyForcibly();
        if (second != null) {
          second.destroy(); // as an operator ends it
          second.waitFor();
        }
      }
      assertThat(second.exitValue()).isEqualTo(143);
      MainWithAFailingThread.requireOwnLines(printed("second"));
    }
  }

  private static void check(Cluster cluster) throws InterruptedException {
    Map<String, Scorer> scorers = new HashMap<>();
    for (long version : new long[] {1, 2}) {
      try (LiveModel model =
          LiveModel.open(cluster.clients(), "trips", options -> options.withVersion(version))) {
        scorers.put(Long.toString(version), model.await(PATIENCE).scorer());
      }
    }
    Set<String> keys = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> each : read(cluster, "predictions")) {
      String key = new String(each.key(), StandardCharsets.UTF_8);
      assertThat(keys.add(key)).as("scored once: %s", key).isTrue();
      assertThat(places.add(header(each, "sotto.partition") + "@" + header(each, "sotto.offset")))
          .isTrue();
      assertThat(header(each, "trace")).isEqualTo("t" + key.substring(1));
      Scorer scorer = scorers.get(header(each, "sotto.version"));
      assertThat(scorer.score(event(Integer.parseInt(key.substring(1)))))
          .isEqualTo(RecordStatus.USED);
      assertThat(new String(each.value(), StandardCharsets.UTF_8))
          .isEqualTo("{\"prediction\":" + scorer.prediction() + "}");
      assertThat(header(each, "sotto.model")).isEqualTo("model");
      assertThat(header(each, "sotto.epsilon"))
          .isEqualTo(Double.toString(scorer.model().guarantee().epsilon()));
      assertThat(header(each, "sotto.delta")).isEqualTo("1.0E-6");
      assertThat(header(each, "sotto.unit")).isEqualTo("record");
    }
    for (ConsumerRecord<byte[], byte[]> each : read(cluster, "aside")) {
      assertThat(keys.add(new String(each.key(), StandardCharsets.UTF_8))).isTrue();
      assertThat(header(each, "sotto.reason")).isEqualTo("MISSING_FIELD");
    }
    assertThat(keys).hasSize(EVENTS + 20);
  }
}
