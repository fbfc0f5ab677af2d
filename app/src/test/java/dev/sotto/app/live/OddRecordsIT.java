package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.command.CommandRuns;
import dev.sotto.app.scoring.EventSchemas;
import dev.sotto.app.scoring.ScoreSettings;
import dev.sotto.app.scoring.ScoringService;
import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelChoice;
import dev.sotto.client.Scorer;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One topic of odd records, and everything that reads it: whatever the learner survives, all do. */
class OddRecordsIT extends CommandRuns {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int BATCH = 20;
  private static final int LARGE = 1_040_000; // with the rest just below what a broker takes

  @TempDir
  private Path folder;

  /** A record with any time, also none. */
  private static final class Sent extends ProducerRecord<byte[], byte[]> {
    private final long time;

    Sent(long time, byte[] key, byte[] value, RecordHeaders headers) {
      super("odd", 0, null, key, value, headers);
      this.time = time;
    }

    @Override
    public Long timestamp() {
      return time;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Sent good(Random random, long time, byte[] key, RecordHeaders headers) {
    double x = 2 * random.nextDouble() - 1;
    return new Sent(time, key, bytes("{\"x\":" + x + ",\"y\":" + (x > 0 ? 1 : 0) + "}"), headers);
  }

  private static Sent value(byte[] value) {
    return new Sent(1_700_000_000_000L, bytes("k"), value, new RecordHeaders());
  }

  private static List<Sent> odd(Random random) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("\u20ac", null).add("", new byte[0]).add("sotto.version", bytes("forged"));
    headers.add("__value_schema_id", new byte[] {9, 9}).add("a", bytes("1")).add("a", null);
    RecordHeaders large = new RecordHeaders();
    large.add("large", new byte[LARGE]);
    RecordHeaders none = new RecordHeaders();
    List<Sent> all = new ArrayList<>(List.of(
        good(random, -1, bytes("u0"), none),
        good(random, 0, bytes("u0"), none),
        good(random, 41_024_448_000_000L, bytes("u0"), none),
        good(random, -1, null, headers),
        good(random, 1, new byte[0], large),
        good(random, 1, new byte[LARGE], none),
        good(random, 1, new byte[] {(byte) 0xff, 0, '\n', (byte) 0xc3}, none),
        new Sent(-1, null, null, none),
        new Sent(1, bytes("tombstone"), null, headers)));
    for (String each : List.of(
        "",
        " ",
        "{",
        "{broken",
        "[{\"x\":1}]",
        "\"x\"",
        "null",
        "{\"x\":NaN,\"y\":1}",
        "{\"x\":1e400,\"y\":1}",
        "{\"x\":\"a\",\"y\":1}",
        "{\"x\":null,\"y\":1}",
        "{\"y\":1}",
        "{\"x\":0.5,\"y\":7}",
        "{\"x\":0.5,\"x\":\"b\",\"y\":1}",
        "{\"x\":0.5,\"y\":1}{\"x\":0.5,\"y\":1}",
        "[".repeat(5_000),
        "{\"x\":" + "9".repeat(5_000) + ",\"y\":1}",
        "{\"x\":0.5,\"y\":1,\"z\":\"" + "z".repeat(LARGE) + "\"}",
        "\u0000\u0000\u0000\u0000\u0007{\"x\":0.5,\"y\":1}",
        "\ufeff{\"x\":0.5,\"y\":1}")) {
      all.add(value(bytes(each)));
    }
    all.add(value("{\"x\":0.5,\"z\":\"\u00e9\",\"y\":1}".getBytes(StandardCharsets.ISO_8859_1)));
    all.add(value("{\"x\":0.5,\"y\":1}".getBytes(StandardCharsets.UTF_16)));
    return all;
  }

  private int send(Cluster cluster) {
    Random random = Seed.random(1);
    List<Sent> all = new ArrayList<>(odd(random));
    while (all.size() % BATCH != 0 || all.size() < 200) {
      all.add(good(random, 1_700_000_000_000L + all.size(), bytes("u" + all.size() % 5), null));
    }
    try (KafkaProducer<byte[], byte[]> producer =
        cluster.producer(Map.of("max.request.size", 8 << 20))) {
      for (Sent each : all) {
        producer.send(each, (sent, failed) -> assertThat(failed).isNull());
      }
    }
    return all.size();
  }

  private void succeeds(String... arguments) {
    int code = run(arguments);
    assertThat(code)
        .as("%s: %s", arguments[0], errors.toString().lines().limit(20).toList())
        .isZero();
    assertThat(errors.toString()).doesNotContain("Exception", "\tat ");
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(Cluster cluster, String topic) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (CommittedTopic records = new CommittedTopic(cluster.clients(), topic)) {
      records.readToEnd(all::add);
    }
    return all;
  }

  private static void score(Cluster cluster, String to, Optional<String> aside, int records)
      throws InterruptedException {
    ScoreSettings settings = new ScoreSettings(
        cluster.clients(),
        new ScoreSettings.Model("odd", new ModelChoice.Newest(null)),
        new ScoreSettings.Topics("odd", to, aside),
        new ScoreSettings.Streams("score-" + to, 1, false, (short) 1),
        new EventSchemas(List.of(), Optional.empty()));
    long begin = System.currentTimeMillis();
    try (ScoringService service = new ScoringService(settings, line -> {})) {
      service.start();
      Awaitility.await().atMost(PATIENCE).until(() -> {
        int letters = aside.map(each -> read(cluster, each).size()).orElse(0);
        return read(cluster, to).size() + letters == records;
      });
    }
    assertThat(read(cluster, to).subList(0, 2).get(0).timestamp())
        .as("the first record has no time")
        .isGreaterThanOrEqualTo(begin);
    assertThat(read(cluster, to))
        .allMatch(each -> each.timestamp() <= System.currentTimeMillis())
        .allMatch(each -> new String(each.value(), StandardCharsets.UTF_8).startsWith("{\""));
  }

  @Test
  void everythingThatReadsATopicSurvivesIt() throws Exception {
    try (Cluster cluster = Cluster.shared()) {
      cluster.createTopic(
          "odd", 1, Map.of("message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)));
      int records = send(cluster);
      String servers = cluster.clients().get("bootstrap.servers");
      succeeds("init", "--topic", "odd", "--bootstrap-server", servers, "--out", "-");
      assertThat(out.toString()).contains("features.numeric");

      String config = folder.resolve("odd.yaml").toString();
      String key = folder.resolve("noise.key").toString();
      succeeds("key", key);
      Files.writeString(
          Path.of(config), """
          app.id: odd
          bootstrap.servers: %s
          events.topic: odd
          layout: direct
          features.numeric.x: {field: x, min: -1, max: 1}
          label.field: y
          loss: logistic
          batch.size: %d
          release.every.slots: %d
          privacy.epsilon: 200
          privacy.delta: 1e-6
          privacy.horizon.rounds: endless
          topics.replication.factor: 1
          noise.key.file: %s
          state.dir: %s
          """.formatted(servers, BATCH, BATCH, key, folder.resolve("state")));
      SottoConfig loaded = SottoConfig.load(ConfigSource.of(Path.of(config)));
      try (LearnerService service = new LearnerService(loaded.learner(), loaded.service())) {
        service.start();
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> read(cluster, Names.ledger("odd")).size() == records / BATCH);
      }
      long unusable = read(cluster, Names.deadLetters("odd")).size();
      assertThat(unusable).isBetween(18L, 24L);

      String recording = folder.resolve("odd.rec").toString();
      succeeds("record", "--topic", "odd", "--bootstrap-server", servers, "--out", recording);
      succeeds("replay", recording, "-c", config);
      assertThat(out.toString()).containsPattern("deadLetters +" + unusable + "\\n");
      succeeds("verify", recording, "-c", config);
      assertThat(out.toString()).contains("EQUAL");
      for (int offset = 0; offset < 32; offset++) {
        succeeds("explain", "odd/0/" + offset, "-c", config);
      }
      succeeds("init", recording, "--out", "-");
      cluster.createTopic("copy", 1, Map.of());
      succeeds(
          "play", recording, "--topic", "copy", "--bootstrap-server", servers, "--arrival-times");
      assertThat(read(cluster, "copy")).hasSize(records);
      succeeds("predict", "--topic", "odd", "--bootstrap-server", servers, "--app-id", "odd");
      assertThat(out.toString().lines()).hasSize(records);
      succeeds("predict", recording, "--bootstrap-server", servers, "--app-id", "odd");

      score(cluster, "scored", Optional.empty(), records);
      score(cluster, "scored-too", Optional.of("aside"), records);
      assertThat(read(cluster, "aside"))
          .hasSizeBetween(20, 26); // two have no room for a prediction
      scoresByHand(cluster);
    }
  }

  /** The client sees values and headers, as they are. */
  private static void scoresByHand(Cluster cluster) throws InterruptedException {
    try (LiveModel model = LiveModel.open(cluster.clients(), "odd")) {
      Scorer scorer = model.await(PATIENCE).scorer();
      long used = read(cluster, "odd").stream()
          .filter(each -> scorer.score(each.value(), each.headers()) == RecordStatus.USED)
          .count();
      assertThat(used).isGreaterThan(170);
    }
  }
}
