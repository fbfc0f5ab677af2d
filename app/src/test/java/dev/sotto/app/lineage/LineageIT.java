package dev.sotto.app.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sotto.app.command.CommandRuns;
import dev.sotto.app.command.ExitCode;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The ledger of a learner becomes events in a file and in a topic, over several starts of both. */
class LineageIT extends CommandRuns {
  private static final int BATCH = 4;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  private static Trial trial;

  @TempDir
  static Path folder;

  @BeforeAll
  static void start() {
    trial = Trial.of("lineage", folder, cluster.clients());
    cluster.createTopic(trial.topic());
  }

  private int lineage(String... more) throws IOException {
    return lineage(trial, more);
  }

  private int lineage(Trial trial, String... more) throws IOException {
    Path config = folder.resolve(trial.app() + ".yaml");
    Files.writeString(config, """
        app.id: %s
        bootstrap.servers: %s
        layout: direct
        events.topic: %s
        events.format: example
        features.dimension: %d
        loss: logistic
        privacy.epsilon: 2
        privacy.delta: 1e-6
        noise.key.file: nowhere
        """.formatted(
            trial.app(), cluster.bootstrapServers(), trial.topic(), Trial.DIMENSION));
    List<String> all = new ArrayList<>(List.of("lineage", "-c", config.toString()));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  private static List<String> inTopic(String topic) {
    return Published.read(cluster.clients(), topic).stream()
        .map(each -> new String(each.value(), StandardCharsets.UTF_8))
        .toList();
  }

  private static void learn(int rounds, int before) {
    learn(trial, rounds, before);
  }

  private static void learn(Trial trial, int rounds, int before) {
    cluster.send(trial.topic(), Trial.events(BATCH * rounds, rounds));
    trial.learnRounds(before + rounds);
  }

  @Test
  void goesOnWhereItStopped() throws IOException {
    assertThat(lineage("--to", "" + folder.resolve("early"))).isEqualTo(ExitCode.TOPIC.code());
    learn(3, 0);
    Path file = folder.resolve("lineage.jsonl");
    String topic = trial.app() + "-lineage-events";
    assertThat(lineage("--to", "topic:" + topic)).isEqualTo(ExitCode.TOPIC.code());
    cluster.createTopic(topic, 2, Map.of());
    cluster.send(topic, List.of("{\"producer\":\"urn:else\"}".getBytes(StandardCharsets.UTF_8)));
    for (String to : List.of("" + file, "topic:" + topic)) {
      assertThat(lineage("--to", to)).as("%s", errors).isZero();
      assertThat(errors.toString()).contains("handed on 3 entries of lineage.ledger to " + to);
      assertThat(lineage("--to", to)).isZero();
      assertThat(errors.toString()).contains("handed on 0 entries");
    }
    learn(2, 3);
    for (String to : List.of("" + file, "topic:" + topic)) {
      assertThat(lineage("--to", to)).isZero();
      assertThat(errors.toString()).contains("handed on 2 entries");
    }
    List<String> events = Files.readAllLines(file);
    assertThat(events).hasSize(6).doesNotHaveDuplicates();
    assertThat(events.get(0)).contains("\"START\"", "kafka://" + cluster.bootstrapServers());
    assertThat(inTopic(topic)).hasSize(7).containsSubsequence(events);
  }

  /** What comes is handed on as it comes, until it is ended; and once, as without --follow. */
  @Test
  void followsTheLedgerUntilItIsEnded() throws Exception {
    Trial followed = Trial.of("followed", folder, cluster.clients());
    cluster.createTopic(followed.topic());
    learn(followed, 1, 0);
    Path file = folder.resolve("followed.jsonl");
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Thread following = new Thread(() -> {
      try {
        lineage(followed, "--to", file.toString(), "--follow");
      } catch (IOException unwritable) {
        failed.set(unwritable);
      }
    });
    following.start();
    try {
      await().atMost(Trial.PATIENCE).until(() -> Files.exists(file) && lines(file) == 2);
      learn(followed, 2, 1);
      await().atMost(Trial.PATIENCE).until(() -> lines(file) == 4);
      assertThat(following.isAlive()).isTrue();
    } finally {
      following.interrupt();
      following.join();
    }
    assertThat(failed.get()).isNull();
    byte[] before = Files.readAllBytes(file);
    assertThat(lineage(followed, "--to", file.toString())).as("%s", errors).isZero();
    assertThat(errors.toString()).contains("handed on 0 entries of followed.ledger");
    assertThat(file).hasBinaryContent(before);
    assertThat(Files.readString(file)).containsSubsequence("START", "RUNNING", "RUNNING");
  }

  private static long lines(Path file) throws IOException {
    return Files.readString(file).chars().filter(each -> each == '\n').count();
  }

  @Test
  void writesToNoTopicOfTheLearner() throws IOException {
    for (String own :
        List.of(trial.topic(), Names.ledger(trial.app()), Names.snapshots(trial.app()))) {
      assertThat(lineage("--to", "topic:" + own)).isEqualTo(ExitCode.USAGE.code());
      assertThat(errors.toString()).contains(own + " is one of the learner");
    }
  }
}
