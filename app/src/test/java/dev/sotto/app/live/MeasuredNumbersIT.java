package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.command.CommandRuns;
import dev.sotto.client.LiveModel;
import dev.sotto.client.Scorer;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.runtime.LearnerService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A number without bounds on a real broker: its range is measured across a restart, published with
 * the first version, computed again by verify, and read by who predicts.
 */
class MeasuredNumbersIT extends CommandRuns {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int BATCH = 8;
  private static final int WINDOW = 3 * 64; // slots
  private static final int EVENTS = 600;

  @TempDir
  private Path folder;

  private static byte[] event(double x, int y) {
    return ("{\"x\":" + x + ",\"y\":" + y + "}").getBytes(StandardCharsets.UTF_8);
  }

  /** Values around a thousand: half of them below 1030, which are the zeros. */
  private static List<byte[]> events() {
    Random random = Seed.random(1);
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      double x = 1000 + 60 * random.nextDouble();
      all.add(event(x, x < 1030 ? 0 : 1));
    }
    return all;
  }

  private String config(Cluster cluster, String layout) throws IOException {
    Path config = folder.resolve("numbers.yaml");
    String key = folder.resolve("noise.key").toString();
    succeeds("key", key);
    Files.writeString(config, """
        app.id: numbers
        bootstrap.servers: %s
        events.topic: numbers
        layout: %s
        features.numeric.x: {field: x}
        label.field: y
        loss: logistic
        batch.size: %d
        release.every.slots: %d
        privacy.epsilon: 200
        privacy.delta: 1e-6
        privacy.horizon.rounds: 100
        topics.replication.factor: 1
        noise.key.file: %s
        state.dir: %s
        """.formatted(
            cluster.clients().get("bootstrap.servers"),
            layout,
            BATCH,
            BATCH,
            key,
            folder.resolve("state")));
    return config.toString();
  }

  private void succeeds(String... arguments) {
    assertThat(run(arguments)).as("%s: %s", arguments[0], errors).isZero();
  }

  private static void learn(String config, Cluster cluster, List<byte[]> events, int rounds)
      throws IOException {
    SottoConfig loaded = SottoConfig.load(ConfigSource.of(Path.of(config)));
    try (LearnerService service = new LearnerService(loaded.learner(), loaded.service())) {
      service.start();
      Awaitility.await().atMost(PATIENCE).until(service::isRunning);
      cluster.send("numbers", 0, events);
      Awaitility.await().atMost(PATIENCE).until(() -> {
        assertThat(service.failure()).isNull();
        List<LedgerEntry> ledger = Published.of(cluster.clients(), "numbers").ledger();
        return rounds == 0 || !ledger.isEmpty() && ledger.get(ledger.size() - 1).round() == rounds;
      });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "rounds"})
  void rangesAreMeasuredPublishedVerifiedAndRead(String layout) throws Exception {
    try (Cluster cluster = Cluster.shared()) {
      cluster.createTopic("numbers", 1, Map.of());
      String config = config(cluster, layout);
      List<byte[]> events = events();
      learn(config, cluster, events.subList(0, WINDOW / 2), 0);
      assertThat(Published.of(cluster.clients(), "numbers").ledger())
          .as("inside of the window nothing is published")
          .isEmpty();
      learn(config, cluster, events.subList(WINDOW / 2, EVENTS), EVENTS / BATCH);
      List<LedgerEntry> ledger = Published.of(cluster.clients(), "numbers").ledger();
      assertThat(ledger.get(0).round()).isEqualTo(WINDOW / BATCH);

      String servers = cluster.clients().get("bootstrap.servers");
      String recording = folder.resolve("numbers.rec").toString();
      succeeds("record", "--topic", "numbers", "--bootstrap-server", servers, "--out", recording);
      succeeds("verify", recording, "-c", config);
      assertThat(out.toString()).contains("EQUAL");
      succeeds("ledger", "--app-id", "numbers", "--bootstrap-server", servers);
      try (LiveModel model = LiveModel.open(cluster.clients(), "numbers")) {
        Scorer scorer = model.await(PATIENCE).scorer();
        assertThat(prediction(scorer, 1005)).isLessThan(0.4);
        assertThat(prediction(scorer, 1055)).isGreaterThan(0.6);
      }
    }
  }

  private static double prediction(Scorer scorer, double x) {
    assertThat(scorer.score(event(x, 0))).isEqualTo(RecordStatus.USED);
    return scorer.prediction();
  }
}
