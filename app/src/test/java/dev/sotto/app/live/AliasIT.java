package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.app.command.ExitCode;
import dev.sotto.app.quality.Gate;
import dev.sotto.app.quality.MetricsFollower;
import dev.sotto.client.alias.AliasReader;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Aliases of a learner's versions, from the command line to a reader that follows. */
class AliasIT {
  private static final int VERSIONS = 6;
  private static final long SLOTS = 1_000_000;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  private static Trial trial;

  @TempDir
  static Path folder;

  @BeforeAll
  static void learn() {
    trial = Trial.of("named", folder, cluster.clients());
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(4 * VERSIONS, 1));
    trial.learnRounds(VERSIONS);
  }

  /** What a command printed, on either stream, and how it ended. */
  private record Ran(ExitCode code, String text) {
    Ran ends(ExitCode expected) {
      assertThat(code).as(text).isEqualTo(expected);
      return this;
    }

    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(text);
    }
  }

  private static Ran alias(String step, String... more) {
    List<String> arguments = new ArrayList<>(List.of("alias", step));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of(
        "--bootstrap-server", cluster.clients().get("bootstrap.servers"), "--app-id", trial.app()));
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    int code = Main.commandLine().setOut(out).setErr(out).execute(arguments.toArray(String[]::new));
    return new Ran(ExitCode.values()[code], text.toString());
  }

  private static Optional<Long> version(AliasReader reader, String alias) {
    return reader.target(alias).map(AliasTarget::version);
  }

  private static void awaitVersion(AliasReader reader, String alias, Optional<Long> version) {
    Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> {
      reader.poll(Duration.ofMillis(50));
      return version(reader, alias).equals(version);
    });
  }

  @Test
  void setsFollowsAndRollsBack() throws Exception {
    try (AliasReader reader = new AliasReader(cluster.clients(), trial.app())) {
      reader.readToEnd();
      assertThat(reader.target("champion")).isEmpty();
      alias("set", "champion", "model@2", "--by", "ann", "--note", "first").ends(ExitCode.OK);
      awaitVersion(reader, "champion", Optional.of(2L));
      alias("set", "champion", "model@newest").ends(ExitCode.OK);
      awaitVersion(reader, "champion", Optional.of((long) VERSIONS));
      alias("set", "champion", "model@newest").ends(ExitCode.OK); // changes nothing
      assertThat(alias("rollback", "champion").ends(ExitCode.OK).text())
          .contains("champion names model@2 (change 3, back to that of change 1)");
      awaitVersion(reader, "champion", Optional.of(2L));
      assertThat(alias("rollback", "champion").ends(ExitCode.USAGE).text())
          .contains("nothing to go back to");
      alias("delete", "champion", "--expect", "3").ends(ExitCode.OK);
      awaitVersion(reader, "champion", Optional.empty());
    }
    assertThat(alias("list", "--json").ends(ExitCode.OK).json())
        .noneMatch(each -> each.get("alias").asText().equals("champion"));
    JsonNode history = alias("history", "champion", "--json").ends(ExitCode.OK).json();
    assertThat(history).hasSize(4);
    assertThat(history.get(0).get("names").isNull()).isTrue();
    assertThat(history.get(1).get("restores").asLong()).isEqualTo(1);
    assertThat(history.get(3).get("names").get("version").asLong()).isEqualTo(2);
    assertThat(history.get(3).get("by").asText()).isEqualTo("ann");
    assertThat(history).allMatch(each -> !each.get("time").isNull());
  }

  @Test
  void madeItsTopicCompacted() {
    alias("set", "any", "model@2").ends(ExitCode.OK);
    ConfigResource topic =
        new ConfigResource(ConfigResource.Type.TOPIC, Names.aliases(trial.app()));
    var config =
        Cluster.get(cluster.admin().describeConfigs(List.of(topic)).all()).get(topic);
    assertThat(config.get("cleanup.policy").value()).isEqualTo("compact");
    assertThat(config.get("message.timestamp.type").value()).isEqualTo("LogAppendTime");
  }

  @Test
  void refusesVersionsThatNobodyCanRead() {
    assertThat(alias("set", "wrong", "model@99").ends(ExitCode.UNVERIFIED).text())
        .contains("model@99 has not been published: the newest version of model is " + VERSIONS);
    assertThat(alias("set", "wrong", "other@1").ends(ExitCode.UNVERIFIED).text())
        .contains("holds no version of a model other; the last ones there are of model");
    assertThat(alias("set", "wrong", "model").ends(ExitCode.USAGE).text())
        .contains("MODEL@VERSION must be");
    assertThat(alias("set", "Wrong", "model@1").ends(ExitCode.USAGE).text())
        .contains("an alias must begin with a small letter");
    assertThat(alias("rollback", "wrong").ends(ExitCode.USAGE).text())
        .contains("there is no alias wrong");
  }

  @Test
  void changesOfManyComeOneAfterTheOther() throws Exception {
    ExecutorService people = Executors.newFixedThreadPool(4);
    List<Future<Ran>> runs = IntStream.rangeClosed(2, 5)
        .mapToObj(i -> people.submit(() -> alias("set", "shared", "model@" + i)))
        .toList();
    for (Future<Ran> each : runs) {
      each.get().ends(ExitCode.OK);
    }
    people.shutdown();
    JsonNode history = alias("history", "shared", "--json").ends(ExitCode.OK).json();
    assertThat(history)
        .extracting(each -> each.get("number").asLong())
        .containsExactly(4L, 3L, 2L, 1L);
    assertThat(history)
        .extracting(each -> each.get("names").get("version").asLong())
        .containsExactlyInAnyOrder(2L, 3L, 4L, 5L);
    // The twin: who says what it expects hears that it is not so.
    assertThat(alias("set", "shared", "model@5", "--expect", "3")
            .ends(ExitCode.IN_USE)
            .text())
        .contains("newest change is number 4")
        .contains("Nothing was changed");
  }

  @Test
  void refusesWhatRetentionTook() {
    alias("set", "old", "model@1").ends(ExitCode.OK);
    alias("set", "old", "model@3").ends(ExitCode.OK);
    // A compacted topic refuses to cut; no other test looks at version 1.
    cluster.alterTopic(Names.snapshots(trial.app()), "cleanup.policy", "compact,delete");
    long second = Published.read(trial.clients(), Names.snapshots(trial.app())).stream()
        .skip(2)
        .findFirst()
        .orElseThrow()
        .offset();
    Awaitility.await() // the log takes its new policy a moment later
        .untilAsserted(() -> cluster.deleteRecords(Names.snapshots(trial.app()), 0, second));
    assertThat(alias("set", "old", "model@1").ends(ExitCode.UNVERIFIED).text())
        .contains("model@1 was published, but is not kept any more: topics.history.ms")
        .contains("the nearest being 2");
    assertThat(alias("rollback", "old").ends(ExitCode.UNVERIFIED).text())
        .contains("not kept any more");
    assertThat(alias("list").ends(ExitCode.OK).text()).contains("model@3");
  }

  /** Metrics of the learner's run that say what a test wants. */
  private static void publishWindow(byte[] run, long first, long last, double loss) {
    double[] sums = {loss * SLOTS, 0.9 * SLOTS, 0.1 * SLOTS};
    NoisyMetrics noisy = new NoisyMetrics(first, last, SLOTS, 1, sums, 30);
    cluster.send(
        Names.metrics(trial.app()),
        List.of(Codecs.METRICS.encode(new ModelMetrics("model", run, noisy, new byte[32]))));
  }

  @Test
  void theGateMovesAnAliasAndAPersonsRollbackHolds() throws Exception {
    alias("set", "gated", "model@2").ends(ExitCode.OK);
    byte[] run;
    try (AliasReader reader = new AliasReader(cluster.clients(), trial.app());
        Gate gate = new Gate(cluster.clients(), trial.app(), "gated", model -> true)) {
      run = reader.readToEnd().target("gated").orElseThrow().runId();
      cluster.createTopic(Names.metrics(trial.app()));
      publishWindow(run, 1, 2, 0.5);
      AtomicLong seen = new AtomicLong();
      MetricsFollower.Listener probe = new MetricsFollower.Listener() {
        private long windows;

        @Override
        public void window(ModelMetrics window) {
          windows++;
        }

        @Override
        public void caughtUp() { // told after the gate has decided
          seen.set(windows);
        }
      };
      MetricsFollower follower =
          MetricsFollower.start(cluster.clients(), trial.app(), List.of(gate, probe));
      try {
        publishWindow(run, 3, 4, 0.4);
        awaitVersion(reader, "gated", Optional.of(4L));
        assertThat(reader.aliases().get("gated").newest().by()).isEqualTo("gate");
        assertThat(alias("history", "gated").ends(ExitCode.OK).text())
            .contains("gate: loss 0.4000, at most 0.40");
        alias("rollback", "gated").ends(ExitCode.OK);
        publishWindow(run, 5, 6, 0.1);
        Awaitility.await().until(() -> seen.get() == 3);
        awaitVersion(reader, "gated", Optional.of(2L));
        alias("set", "gated", "model@2").ends(ExitCode.OK); // hands it back
        awaitVersion(reader, "gated", Optional.of(6L));
      } finally {
        follower.close();
      }
    }
  }

  @Test
  void passesOverRecordsOfStrangers() {
    alias("set", "sound", "model@4").ends(ExitCode.OK);
    try (var producer = cluster.producer(Map.of())) {
      producer.send(new ProducerRecord<>(
          Names.aliases(trial.app()), 0, "sound".getBytes(), new byte[] {1, 2, 3}));
    }
    assertThat(alias("list").ends(ExitCode.OK).text()).contains("sound").contains("model@4");
  }
}
