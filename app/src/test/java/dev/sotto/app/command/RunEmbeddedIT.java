package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.play.PlaySettings;
import dev.sotto.replay.play.PlaybackRate;
import dev.sotto.replay.play.Player;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.testbroker.ChildProcess;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code sotto run --embedded} as a newcomer types it: started, fed, told to stop, and started
 * again. A thread fails meanwhile: both streams show the product's own lines and no others.
 */
class RunEmbeddedIT {
  private static final Pattern ADDRESS = Pattern.compile("the broker is at (\\S+)");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Pattern HTTP = Pattern.compile("health and metrics at (\\S+)");

  /** On this machine, so the broker listens there. */
  private static final String SERVERS = "127.0.0.1:" + BrokerSettings.freePort();

  @TempDir
  Path folder;

  @Test
  void goesOnWhereItWasToldToStop() throws Exception {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    assertThat(life(1, key, 120, 2, 20)).isEqualTo(SERVERS);
    assertThat(life(2, key, 40, 3, 10))
        .isEqualTo(SERVERS); // 20 slots of round 3 were filled in the first life
  }

  /** Where its broker was. */
  private String life(int number, Path key, int events, long rounds, long waiting)
      throws Exception {
    Path out = folder.resolve("out-" + number);
    Process run = start(key, out);
    try {
      String servers = await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> found(ADDRESS, out), each -> !each.isEmpty());
      await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> Files.readString(out).contains("running"));
      String http = found(HTTP, out);
      assertThat(get(http + "/health/ready")).contains("\"status\":\"up\"");
      if (number > 1) { // what the first life has paid for is known before any event comes
        assertThat(get(http + "/metrics"))
            .contains("sotto_round{app=\"minimal\",model=\"model\"} 2.0");
      }
      PlaySettings settings = new PlaySettings(
          "points",
          Map.of("bootstrap.servers", servers),
          new PlaybackRate.Fastest(),
          new PlaySettings.Start(false, true, true),
          true,
          PlaySettings.Bounds.USUAL);
      try (Player player = new Player(points(events), settings, PlayProgress.NONE)) {
        player.play();
      }
      await()
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(() -> assertThat(rounds(servers)).isEqualTo(rounds));
      await()
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(() -> assertThat(get(http + "/metrics"))
              .contains("sotto_round{app=\"minimal\",model=\"model\"} " + rounds + ".0"));
      await().atMost(Duration.ofSeconds(120)).untilAsserted(() -> {
        JsonNode state = new ObjectMapper().readTree(get(http + "/api/state"));
        // The events of no full round, and at most two ends of transactions.
        assertThat(state.get("waiting").asLong()).isBetween(waiting, waiting + 2);
        assertThat(state.get("instances")).hasSize(1);
        assertThat(state.get("instances").get(0).get("partitions").asText())
            .isEqualTo("minimal.order 0");
        assertThat(state.get("takeovers")).isEmpty();
      });
    } finally {
      run.destroy();
      assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(run.exitValue()).isEqualTo(143);
    String said = Files.readString(out);
    assertThat(said)
        .contains(
            "learning one model", "records that cannot be used go to minimal.dead-letters, each");
    MainWithAFailingThread.requireOwnLines(said);
    return found(ADDRESS, out);
  }

  private Process start(Path key, Path out) throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path project = Files.exists(here.resolve("examples")) ? here : here.getParent();
    ProcessBuilder run = ChildProcess.of(
        "-Xmx1g",
        "-Dsotto.log.dir=" + folder.resolve("logs"),
        "-Dlogback.configurationFile=logback.xml", // the product's, not that of the tests
        MainWithAFailingThread.class.getName(),
        "run",
        "--embedded",
        "-c",
        project.resolve("examples/minimal.yaml").toString());
    for (String set : List.of(
        "state.dir=" + folder.resolve("state"),
        "noise.key.file=" + key,
        "bootstrap.servers=" + SERVERS,
        "batch.size=50",
        "release.every.slots=50",
        "http.listen=0")) {
      run.command().addAll(List.of("--set", set));
    }
    return run.redirectErrorStream(true).redirectOutput(out.toFile()).start();
  }

  private static String found(Pattern pattern, Path out) throws IOException {
    Matcher matcher = pattern.matcher(Files.readString(out));
    return matcher.find() ? matcher.group(1) : "";
  }

  private static String get(String url) throws IOException, InterruptedException {
    return CLIENT
        .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static InMemoryRecording points(int count) {
    InMemoryRecording.Builder points = InMemoryRecording.of("points");
    IntStream.range(0, count)
        .mapToObj(i -> "{\"x\": " + (i % 7 - 3) / 4.0 + ", \"y\": " + (i % 7 > 3 ? 1 : 0) + "}")
        .forEach(json -> points.add(0, null, json.getBytes(StandardCharsets.UTF_8)));
    return points.build();
  }

  private static long rounds(String servers) {
    LedgerChecker checker = new LedgerChecker();
    try (CommittedTopic ledger =
        new CommittedTopic(Map.of("bootstrap.servers", servers), Names.ledger("minimal"))) {
      ledger.readToEnd(
          record -> checker.accept(record.partition(), record.offset(), record.value()));
    } catch (SottoException notYet) {
      return -1;
    }
    assertThat(checker.faults()).isEmpty();
    return checker.newest().containsKey("model") ? checker.newest().get("model").round() : 0;
  }
}
