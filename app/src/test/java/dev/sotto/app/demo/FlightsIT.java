package dev.sotto.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.testbroker.ChildProcess;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testbroker.Topics;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's own events, from the configuration to the printed model: all departures of a year, as a
 * process.
 */
@Tag("long")
class FlightsIT {
  @TempDir
  Path folder;

  private static Path project() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("examples")) ? here : here.getParent();
  }

  private static Path recording() {
    String set = System.getenv("SOTTO_SHARED_DATA");
    Path data = set == null ? project().resolve("../shared/data") : Path.of(set);
    Path file = data.resolve("hflights_by_tail.jsonl.gz");
    assumeTrue(
        Files.exists(file), "skipped: the recorded flights (shared/data) are not on this machine");
    return file;
  }

  private static List<BaseballStream.Event> events(Path file) throws IOException {
    List<BaseballStream.Event> events = new ArrayList<>();
    ObjectMapper json = new ObjectMapper();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        byte[] value = line.getBytes(StandardCharsets.UTF_8);
        events.add(new BaseballStream.Event(
            json.readTree(value).get("key").asText().getBytes(StandardCharsets.UTF_8), value));
      }
    }
    return events;
  }

  @Test
  void learnsAYearOfDeparturesFromAConfigurationFile() throws Exception {
    List<BaseballStream.Event> events = events(recording());
    List<BaseballStream.Event> toLearn = events.subList(0, 180_000);
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    try (Cluster broker = Cluster.shared()) {
      String servers = broker.bootstrapServers();
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
        Topics.create(admin, new NewTopic("hflights", 3, (short) 1));
      }
      Process learner = start(servers, key);
      try {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", servers),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
          toLearn.forEach(
              each -> producer.send(new ProducerRecord<>("hflights", each.key(), each.value())));
        }
        SottoConfig config = config(servers, key);
        long newestVersion = newestVersion(config.learner().plan(), toLearn.size());
        JsonNode ledger = awaitRounds(servers, newestVersion, learner);
        assertThat(ledger.get("verified").asBoolean()).isTrue();
        JsonNode newest = ledger.get("entries").get(ledger.get("entries").size() - 1);
        assertThat(newest.get("guarantee").get("epsilon").asDouble()).isBetween(1.0, 2.0);
        JsonNode model = json(
                "snapshot",
                "--bootstrap-server",
                servers,
                "--app-id",
                "hflights",
                "--weights",
                "--json")
            .get("snapshots")
            .get(0);
        double[] weights = new ObjectMapper().convertValue(model.get("weights"), double[].class);
        HeldOutScores later = HeldOutScores.of(
            weights,
            config.learner().plan().loss(),
            config.learner().decoder().get(),
            events.subList(180_000, events.size()));
        assertThat(later.events()).isEqualTo(events.size() - 180_000);
        assertThat(later.auc()).isGreaterThan(0.88);
        assertThat(later.accuracy())
            .isGreaterThan(Math.max(later.positives(), 1 - later.positives()));
      } finally {
        learner.destroy();
        assertThat(learner.waitFor(60, TimeUnit.SECONDS)).isTrue();
      }
      String said = Files.readString(folder.resolve("out"));
      assertThat(said).contains("learning model late").doesNotContainIgnoringCase("exception");
    }
  }

  /** The last round of the last version that this number of slots completes. */
  private static long newestVersion(Plan plan, long slots) {
    long newest = 0;
    while (plan.lastOfVersion(newest + 1) <= slots / plan.batch()) {
      newest = plan.lastOfVersion(newest + 1);
    }
    return newest;
  }

  private static SottoConfig config(String servers, Path key) throws IOException {
    return SottoConfig.load(ConfigSource.of(project().resolve("examples/hflights.yaml"))
        .withEnvironment(Map.of("SOTTO_NOISE_KEY", Files.readString(key).strip()))
        .withBootstrapServers(servers));
  }

  private Process start(String servers, Path key) throws IOException {
    ProcessBuilder builder = ChildProcess.of(
        "-Xmx1g",
        "-Dsotto.log.dir=" + folder.resolve("logs"),
        Main.class.getName(),
        "run",
        "-c",
        project().resolve("examples/hflights.yaml").toString(),
        "--bootstrap-server",
        servers,
        "--set",
        "state.dir=" + folder.resolve("state"));
    builder.environment().put("SOTTO_NOISE_KEY", Files.readString(key).strip());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("out").toFile())
        .start();
  }

  private JsonNode awaitRounds(String servers, long rounds, Process learner) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (true) {
      assertThat(learner.isAlive())
          .as("the learner runs; it said: %s", Files.readString(folder.resolve("out")))
          .isTrue();
      assertThat(System.nanoTime())
          .as("round %d is published within 3 minutes", rounds)
          .isLessThan(deadline);
      try {
        JsonNode ledger =
            json("ledger", "--bootstrap-server", servers, "--app-id", "hflights", "--json");
        int entries = ledger.get("entries").size();
        if (entries > 0 && ledger.get("entries").get(entries - 1).get("round").asLong() == rounds) {
          return ledger;
        }
      } catch (IllegalStateException notYet) {
        // its topics are being created
      }
      Thread.sleep(500);
    }
  }

  private static JsonNode json(String... arguments) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    int code;
    try {
      code = Main.commandLine().execute(arguments);
    } finally {
      System.setOut(before);
    }
    if (code != 0) {
      throw new IllegalStateException("ended with " + code);
    }
    return new ObjectMapper().readTree(captured.toString(StandardCharsets.UTF_8));
  }
}
