package dev.sotto.app.secured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sotto.app.command.ExitCode;
import dev.sotto.app.crash.EventWriter;
import dev.sotto.app.crash.LearnerProcess;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.settings.Names;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is printed as needed is enough on brokers that allow nothing else, and each of it is missed.
 * What this prints stands in docs/operations.md.
 */
@Tag("long")
@Timeout(900)
class SecuredClusterIT {
  private static final Pattern HTTP = Pattern.compile("health and metrics at (\\S+)");

  /** One for all requests: it keeps connections, and the endpoint takes few at a time. */
  private static final HttpClient BROWSER = HttpClient.newHttpClient();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static SecuredCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecuredCluster.start(folder);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void listsWhatADirectLearnerWithPageNeedsAndNothingElse() throws Exception {
    suffice("direct", 2, "http.listen: 127.0.0.1:0");
  }

  @Test
  void listsWhatAnOrderedLearnerWithPageAndGateNeedsAndNothingElse() throws Exception {
    suffice("ordered", 3, """
        http.listen: 127.0.0.1:0
        metrics.share: 0.3
        metrics.window.rounds: 4
        gate.alias: champion
        """);
  }

  private void suffice(String layout, int partitions, String more) throws Exception {
    SecuredLearner learner = new SecuredLearner(cluster, folder, layout, layout, partitions, more);
    assertThat(learner.configured("preflight")).isEqualTo(ExitCode.UNFIT.code());
    JsonNode printed = learner.permit(learner.app());
    List<AclBinding> needed = SecuredCluster.permissions(printed.get("learner"));

    // Whether a topic may be written that does not exist yet, brokers tell nobody.
    List<AclBinding> first = missedWhere(
        learner,
        needed,
        each -> !(each.pattern().resourceType() == ResourceType.TOPIC
            && each.entry().operation() == AclOperation.WRITE));
    long written = learn(learner, partitions, more.contains("gate"));
    readers(learner);
    new SecuredScorer(cluster, folder, learner).needsWhatIsListed();
    learner.verify();
    List<AclBinding> later =
        missedWhere(learner, needed, each -> each.entry().operation() != AclOperation.CREATE);
    System.out.printf(
        "%s: %d permissions; each of %d is missed by preflight before the first start, each of %d"
            + " later; %d events, %d rounds, chain whole, verify EQUAL%n",
        layout,
        needed.size(),
        first.size(),
        later.size(),
        written,
        learner.ledger().size());
  }

  /** Whom one connects to, and who one is, is told before anything else. */
  @Test
  void saysWhatIsWrongWithCertificatesAndPasswords() throws Exception {
    SecuredLearner learner = new SecuredLearner(cluster, folder, "strict", "direct", 1, "");
    learner.permit("strict");
    String byName = cluster.servers().replace("127.0.0.1", "localhost");
    Path others = Certificates.make(folder.resolve("others"), "ip:127.0.0.1").authority();
    refused(
        learner,
        List.of("--bootstrap-server", byName),
        "localhost",
        "certificate is for another host",
        "bootstrap.servers and the brokers' advertised.listeners must name brokers");
    refused(
        learner,
        List.of("--set", "kafka.ssl.truststore.certificates=" + LearnerFiles.kept(others)),
        cluster.servers(),
        "signed by nobody who is trusted here",
        "the truststore must hold");
    learner.files().keep("strict", "guessed");
    refused(learner, List.of(), cluster.servers(), "invalid credentials", "check the user");
    // The twin: with none of this wrong it is let in.
    learner.files().keep("strict", learner.firstPassword());
    learner.awaitFit();
  }

  private static void refused(SecuredLearner learner, List<String> wrong, String... said) {
    String[] more = wrong.toArray(String[]::new);
    assertThat(learner.configured("preflight", more)).isEqualTo(ExitCode.UNFIT.code());
    assertThat(learner.out()).contains(said).doesNotContain("guessed");
    assertThat(learner.configured("run", more)).isEqualTo(ExitCode.FORBIDDEN.code());
    assertThat(learner.errors().strip()).contains(said).doesNotContain("guessed");
    System.out.println(
        "strict: " + learner.errors().strip().lines().reduce("", (before, line) -> line));
  }

  /** Takes each of some permissions away alone, and asks preflight. */
  private static List<AclBinding> missedWhere(
      SecuredLearner learner, List<AclBinding> all, Predicate<AclBinding> which) throws Exception {
    // Whoever may read or write may describe: that is Kafka's rule, and nothing is missed.
    List<AclBinding> implied = all.stream()
        .filter(each -> each.entry().operation() == AclOperation.DESCRIBE)
        .toList();
    List<AclBinding> missed = new ArrayList<>();
    for (AclBinding each : all) {
      if (implied.contains(each) || !which.test(each)) {
        continue;
      }
      cluster.revoke(each);
      // Brokers hear of it one after the other.
      await()
          .atMost(SecuredLearner.PATIENCE.dividedBy(6))
          .untilAsserted(() -> assertThat(learner.configured("preflight", "--json"))
              .as("preflight without %s", each)
              .isEqualTo(ExitCode.UNFIT.code()));
      assertThat(learner.json().get("findings")).as("without %s", each).anySatisfy(finding -> {
        assertThat(finding.get("level").textValue()).isEqualTo("FAULT");
        assertThat(finding.get("fix").textValue())
            .containsIgnoringCase(
                "--operation " + each.entry().operation().name().replace("_", ""))
            .contains("'" + each.pattern().name() + "'");
      });
      missed.add(each);
      cluster.allow(List.of(each));
      learner.awaitFit();
    }
    return missed;
  }

  /** Learns from some thousand events, and returns how many there were. */
  private static long learn(SecuredLearner learner, int partitions, boolean gate) throws Exception {
    EventWriter writer = new EventWriter(cluster.root(), learner.topic(), partitions, 20, 7);
    Thread writing = new Thread(writer);
    writing.start();
    LearnerProcess process = learner.start("a");
    try {
      learner.awaitRounds(Map.of(), gate ? 1 : partitions, 5, process);
      if (gate) {
        alias(learner);
      }
      page(learner, gate ? "champion" : "model-1");
      writer.stop();
      writing.join();
      learner.awaitEnd(writer.fullRounds(SecuredLearner.BATCH, gate ? 1 : partitions), process);
      process.stop();
      assertThat(process.exitCode()).isEqualTo(143);
    } finally {
      writer.stop();
      process.kill();
    }
    assertThat(learner.said("a")).doesNotContain("WARN", "ERROR", "xception", "not allowed");
    return writer.committed();
  }

  private static void alias(SecuredLearner learner) throws Exception {
    assertThat(learner.run(
            "alias",
            "set",
            "champion",
            "model@1",
            "--app-id",
            learner.app(),
            "--bootstrap-server",
            cluster.servers(),
            "--command-config",
            learner.files().clientSettings().toString()))
        .as(learner.errors())
        .isZero();
  }

  private static void page(SecuredLearner learner, String shown) throws Exception {
    Matcher found = HTTP.matcher(learner.said("a"));
    assertThat(found.find()).isTrue();
    await().atMost(SecuredLearner.PATIENCE).untilAsserted(() -> {
      assertThat(get(found.group(1) + "/health/ready")).contains("\"status\":\"up\"");
      assertThat(get(found.group(1) + "/api/state"))
          .contains(shown, "\"threads\"") // who learns, and what waits
          .doesNotContain("\"waiting\":null");
    });
  }

  private static String get(String address) throws Exception {
    return BROWSER
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Who may read what is published reads it, and nothing else. */
  private static void readers(SecuredLearner learner) throws Exception {
    Map<String, String> reader = learner.reader();
    assertThat(Published.read(reader, Names.ledger(learner.app()))).isNotEmpty();
    assertThat(Published.read(reader, Names.snapshots(learner.app()))).isNotEmpty();
    for (String inside : List.of(learner.topic(), Names.deadLetters(learner.app()))) {
      assertThatThrownBy(() -> Published.read(reader, inside))
          .hasMessageContaining("not allowed to read topic " + inside);
    }
  }
}
