package dev.sotto.app.secured;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.app.command.CommandRuns;
import dev.sotto.app.crash.LearnerProcess;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.live.GroupProgress;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * A learner of a secured cluster as its operator has it: a configuration, a password in a file of
 * its own, commands and processes.
 */
final class SecuredLearner extends CommandRuns {
  static final int BATCH = 200;
  static final Duration PATIENCE = Duration.ofSeconds(180);

  private final SecuredCluster cluster;
  private final Path folder;
  private final String app;
  private final LearnerFiles files;
  private final String followed; // the topic that its group reads
  private final Map<String, Path> outputs = new HashMap<>();
  private int lives;

  /**
   * A learner that logs in as a user with the name of its application.
   *
   * @param partitions of its event topic, which is made here
   * @param more lines of its configuration
   */
  SecuredLearner(
      SecuredCluster cluster, Path folder, String app, String layout, int partitions, String more)
      throws Exception {
    this.cluster = cluster;
    this.folder = folder;
    this.app = app;
    this.followed = layout.equals("ordered") ? Names.order(app) : topic();
    this.files = new LearnerFiles(cluster, folder, app);
    cluster.topic(topic(), partitions);
    cluster.password(app, firstPassword());
    files.keep(app, firstPassword());
    run("key", files.key().toString());
    files.configure(layout, topic(), BATCH, more);
  }

  String app() {
    return app;
  }

  String topic() {
    return app + "-events";
  }

  String firstPassword() {
    return app + "-secret";
  }

  LearnerFiles files() {
    return files;
  }

  /** Settings of a client that may read what is published, and do nothing else. */
  Map<String, String> reader() throws Exception {
    String user = app + "-reader";
    cluster.password(user, "reader-secret");
    return cluster.as(user, "reader-secret");
  }

  /** Runs a command with this configuration. */
  int configured(String command, String... more) {
    List<String> words = new ArrayList<>(List.of(command, "-c", files.yaml().toString()));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  String out() {
    return out.toString();
  }

  String errors() {
    return errors.toString();
  }

  JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out());
  }

  /** What {@code describe} says that its learner, and its readers, must be allowed. */
  JsonNode printedPermissions(String user) throws IOException {
    int code = configured(
        "describe",
        "--json",
        "--learner-principal",
        "User:" + user,
        "--reader-principal",
        "User:" + app + "-reader");
    if (code != 0) {
      throw new IllegalStateException("describe ended with " + code + ": " + errors());
    }
    return json().get("acls");
  }

  /** Allows its user, and its readers, what is printed, and waits until preflight finds no fault. */
  JsonNode permit(String user) throws Exception {
    JsonNode printed = printedPermissions(user);
    cluster.allow(SecuredCluster.permissions(printed.get("learner")));
    cluster.allow(SecuredCluster.permissions(printed.get("reader")));
    awaitFit();
    return printed;
  }

  void awaitFit() {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(configured("preflight")).as(out() + errors()).isZero());
  }

  /** A process that runs it, with a state folder of its own. */
  LearnerProcess start(String instance) throws IOException {
    String output = app + "-" + instance + "-" + ++lives;
    outputs.put(instance, folder.resolve(output));
    return LearnerProcess.launch(
        folder,
        output,
        "-Xmx256m",
        "-Dsotto.log.dir=" + folder.resolve(output + "-logs"),
        Main.class.getName(),
        "run",
        "-c",
        files.yaml().toString(),
        "--set",
        "state.dir=" + state(instance));
  }

  Path state(String instance) {
    return folder.resolve(app + "-state-" + instance);
  }

  /** What the newest process of an instance has printed. */
  String said(String instance) throws IOException {
    return Files.readString(Path.of(outputs.get(instance) + ".out"));
  }

  /** What the log of the newest process of an instance has, Kafka's own lines included. */
  String logged(String instance) throws IOException {
    StringBuilder all = new StringBuilder();
    try (var files = Files.list(Path.of(outputs.get(instance) + "-logs").resolve("inside"))) {
      for (Path each : files.toList()) {
        all.append(Files.readString(each));
      }
    }
    return all.toString();
  }

  /** The published rounds; their chain is whole. */
  List<LedgerEntry> ledger() {
    LedgerChecker checker = new LedgerChecker();
    List<LedgerEntry> ledger = new ArrayList<>();
    for (var record : Published.read(cluster.root(), Names.ledger(app))) {
      ledger.add(checker.accept(record.partition(), record.offset(), record.value()));
    }
    assertThat(checker.faults()).isEmpty();
    return ledger;
  }

  /** How many rounds each partition of the ledger has. */
  Map<Integer, Long> rounds() {
    Map<Integer, Long> rounds = new TreeMap<>();
    Published.read(cluster.root(), Names.ledger(app))
        .forEach(each -> rounds.merge(each.partition(), 1L, Long::sum));
    return rounds;
  }

  /** Waits until every model has so many rounds more than before. */
  void awaitRounds(Map<Integer, Long> before, int models, int more, LearnerProcess... running) {
    await(running, () -> {
      Map<Integer, Long> now = rounds();
      return now.size() == models
          && now.entrySet().stream()
              .allMatch(each -> each.getValue() >= before.getOrDefault(each.getKey(), 0L) + more);
    });
  }

  /** Waits until all events have been learned, which fill this number of rounds. */
  void awaitEnd(long rounds, LearnerProcess... running) {
    GroupProgress group = new GroupProgress(cluster.admin(), app);
    await(running, () -> group.hasReachedEndOf(followed) && ledger().size() >= rounds);
  }

  private void await(LearnerProcess[] running, Callable<Boolean> what) {
    Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> {
      for (LearnerProcess each : running) {
        assertThat(each.isAlive()).as(outputs.toString()).isTrue();
      }
      try {
        return what.call();
      } catch (SottoException notYet) {
        return false;
      }
    });
  }

  /** Records with its own permissions, and verifies every published bit with those of others. */
  void verify() {
    String recording = folder.resolve(app + ".avro").toString();
    String others = "kafka.sasl.jaas.config=" + cluster.root().get("sasl.jaas.config");
    assertThat(configured("record", "--out", recording)).as(errors()).isZero();
    assertThat(configured("verify", recording, "--set", others))
        .as(out() + errors())
        .isZero();
    assertThat(out()).contains("EQUAL");
  }
}
