package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.app.predict.Python;
import dev.sotto.app.view.InsideWarning;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testbroker.Topics;
import dev.sotto.testing.Seed;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Names;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ordered layout that has run on a broker, recorded, verified and played, all by commands. */
class PlayAndVerifyIT extends CommandRuns {
  private static final int ROUNDS = 6;
  private static final int BATCH = 50;

  private static Cluster broker;

  @TempDir
  static Path folder;

  @BeforeAll
  static void learn() throws Exception {
    broker = Cluster.shared();
    Main.commandLine().execute("key", file("noise.key"));
    try (Admin admin = Admin.create(Map.<String, Object>copyOf(clients()))) {
      Topics.create(admin, new NewTopic("points", 3, (short) 1));
    }
    Random random = Seed.random(5);
    Map<String, Object> settings = Map.copyOf(clients());
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < ROUNDS * BATCH + 20; i++) {
        double x = random.nextDouble(-1, 1);
        String event = "{\"x\": " + x + ", \"y\": " + (x > 0 ? 1 : 0) + "}";
        producer.send(
            new ProducerRecord<>("points", i % 3, null, event.getBytes(StandardCharsets.UTF_8)));
      }
    }
    SottoConfig config = SottoConfig.load(ConfigSource.of(yaml())
        .withEnvironment(Map.of())
        .withFlags(List.of(flags()))
        .withBootstrapServers(broker.bootstrapServers()));
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      await().atMost(Duration.ofSeconds(120)).until(() -> rounds() == ROUNDS);
    }
    for (String topic : List.of("minimal.order", "points", "minimal.ledger", "minimal.snapshots")) {
      int code = Main.commandLine()
          .setOut(new PrintWriter(new StringWriter()))
          .execute(
              "record",
              "--topic",
              topic,
              "--bootstrap-server",
              broker.bootstrapServers(),
              "--out",
              file(topic + ".avro"));
      assertThat(code).isZero();
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static Map<String, String> clients() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }

  private static String file(String name) {
    return folder.resolve(name).toString();
  }

  private static Path yaml() {
    return Path.of(System.getProperty("basedir", "."), "..")
        .normalize()
        .resolve("examples/minimal.yaml");
  }

  private static String[] flags() {
    return new String[] {
      "layout=ordered",
      "batch.size=" + BATCH,
      "release.every.slots=1",
      "noise.key.file=" + file("noise.key"),
      "state.dir=" + file("state"),
      "topics.replication.factor=1"
    };
  }

  private static long rounds() {
    long[] count = new long[1];
    try (CommittedTopic ledger = new CommittedTopic(clients(), Names.ledger("minimal"))) {
      ledger.readToEnd(record -> count[0]++);
    } catch (RuntimeException notYet) {
      return 0;
    }
    return count[0];
  }

  private int verify(String recording, String... more) {
    return verify(yaml(), recording, more);
  }

  private int verify(Path config, String recording, String... more) {
    List<String> all = new ArrayList<>(List.of("verify", file(recording), "-c", config.toString()));
    if (!List.of(more).contains("--unordered")) {
      all.addAll(List.of("--order", file("minimal.order.avro")));
    }
    for (String flag : flags()) {
      all.add("--set");
      all.add(flag);
    }
    Arrays.stream(more).filter(each -> !each.equals("--unordered")).forEach(all::add);
    return run(all.toArray(String[]::new));
  }

  private String[] offline(String... more) {
    List<String> all = new ArrayList<>(List.of(
        "--ledger",
        file("minimal.ledger.avro"),
        "--snapshots",
        file("minimal.snapshots.avro"),
        "--json"));
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void verifiesAgainstTheCluster() {
    assertThat(verify("points.avro", "--bootstrap-server", broker.bootstrapServers()))
        .as(errors.toString())
        .isZero();
    assertThat(out.toString())
        .startsWith(InsideWarning.OF_OUTCOMES)
        .contains("EQUAL: everything that was published came out again, bit for bit")
        .contains("model model: 6 of 6 published rounds are equal; of 6 published snapshots");
  }

  @Test
  void verifiesWithoutAnyBroker() throws Exception {
    assertThat(verify("points.avro", offline())).as(errors.toString()).isZero();
    assertThat(json().get("equal").booleanValue()).isTrue();
    assertThat(json().get("insideOnly").booleanValue()).isFalse();
    assertThat(json().get("models").get(0).get("equalRounds").intValue()).isEqualTo(ROUNDS);
    assertThat(json().get("models").get(0).get("equalSnapshots").intValue()).isEqualTo(ROUNDS);
    assertThat(errors.toString()).isEqualToIgnoringNewLines(InsideWarning.OF_OUTCOMES);
  }

  @Test
  void saysWhatAnotherConfigurationChanges() throws Exception {
    assertThat(verify("points.avro", offline("--set", "clip.norm=3")))
        .isEqualTo(ExitCode.DIFFERENT.code());
    assertThat(errors.toString()).contains(InsideWarning.OF_OUTCOMES, "NOT been published");
    JsonNode difference = json().get("models").get(0).get("difference");
    assertThat(difference.get("round").intValue()).isOne();
    assertThat(difference.get("weights").get("coordinate").intValue()).isZero();
    assertThat(difference.get("fields").toString()).contains("\"clip\"");

    Path wider = Path.of(file("wider.yaml"));
    String text = Files.readString(yaml());
    Files.writeString(wider, text.replace("min: -1, max: 1", "min: -2, max: 2"));
    assertThat(verify(
            wider,
            "points.avro",
            "--ledger",
            file("minimal.ledger.avro"),
            "--snapshots",
            file("minimal.snapshots.avro")))
        .isEqualTo(ExitCode.DIFFERENT.code());
    assertThat(out.toString())
        .contains("DIFFERENT: the first round that differs is 1 of model model")
        .containsPattern("features: published .*1.*, replayed .*2");
  }

  @Test
  void wantsTheOrderAndTheLedgerAsLedger() {
    assertThat(verify("points.avro", offline("--unordered"))).isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("the order of minimal.order is part of the model");
    assertThat(verify("points.avro", "--ledger", file("minimal.snapshots.avro")))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("must be of topic minimal.ledger");
    assertThat(verify("points.avro", "--snapshots", file("minimal.snapshots.avro")))
        .isEqualTo(ExitCode.USAGE.code());
  }

  /** With what is published alone: no configuration. */
  @Test
  void scoresWithTheNewestVersion() throws Exception {
    Path events = folder.resolve("to-score.jsonl");
    Files.writeString(events, "{\"x\":0.9}\n{\"x\":-0.9}\n{broken\n{\"y\":1}\n");
    String[] where = {"--bootstrap-server", broker.bootstrapServers(), "--app-id", "minimal"};
    assertThat(run(
            "predict", events.toString(), "--with-event", where[0], where[1], where[2], where[3]))
        .isZero();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString().split("\n")) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0).get("event").get("x").asDouble()).isEqualTo(0.9);
    // Which of two is likelier the noise of few rounds does not hide: both are probabilities.
    assertThat(lines.get(0).get("prediction").asDouble()).isBetween(0.0, 1.0);
    assertThat(lines.get(1).get("prediction").asDouble()).isBetween(0.0, 1.0);
    assertThat(lines.get(2).get("unusable").asText()).isEqualTo("UNREADABLE");
    assertThat(lines.get(3).get("unusable").asText()).isEqualTo("MISSING_FIELD");
    assertThat(run("predict", where[0], where[1], where[2], where[3]))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--topic");
    // On a busy machine two seconds may be over before it has looked.
    await().atMost(Duration.ofSeconds(120)).untilAsserted(() -> {
      assertThat(run(
              "predict",
              events.toString(),
              "--model",
              "none",
              "--wait",
              "2",
              where[0],
              where[1],
              where[2],
              where[3]))
          .isEqualTo(ExitCode.UNVERIFIED.code());
      assertThat(errors.toString()).contains("none", "versions of model");
    });
  }

  /** Whoever may write snapshots makes no version of the run: its ledger has no entry of it. */
  @Test
  void takesNoVersionThatNoEntryConfirms() throws Exception {
    Map<String, Object> settings = Map.copyOf(clients());
    try (Admin admin = Admin.create(settings)) {
      Topics.create(admin, new NewTopic("bare.snapshots", 1, (short) 1));
      Topics.create(admin, new NewTopic("bare.ledger", 1, (short) 1));
    }
    try (var producer =
            new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        var published = new CommittedTopic(clients(), Names.snapshots("minimal"))) {
      published.readToEnd(each ->
          producer.send(new ProducerRecord<>("bare.snapshots", 0, each.key(), each.value())));
    }
    String[] where = {"snapshot", "--bootstrap-server", broker.bootstrapServers(), "--app-id", ""};
    where[4] = "minimal";
    assertThat(run(where)).isZero();
    where[4] = "bare";
    assertThat(run(where)).isEqualTo(ExitCode.UNVERIFIED.code());
  }

  /** What is published goes out as ONNX; its metadata say how an event becomes what goes in. */
  @Test
  void exportsWhatOnnxRuntimeRuns() throws Exception {
    String event = "{\"x\":0.9}";
    Path events = Files.writeString(folder.resolve("onnx.jsonl"), event + "\n");
    String[] where = {"--bootstrap-server", broker.bootstrapServers(), "--app-id", "minimal"};
    String model = file("model.onnx");
    assertThat(run("export", "--onnx", "--out", model, where[0], where[1], where[2], where[3]))
        .as(errors.toString())
        .isZero();
    assertThat(run("predict", events.toString(), where[0], where[1], where[2], where[3]))
        .isZero();
    double expected =
        new ObjectMapper().readTree(out.toString()).get("prediction").asDouble();
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(model)) {
      Map<String, String> metadata = session.getMetadata().getCustomMetadata();
      assertThat(metadata).containsEntry("sotto.model", "model").containsKey("sotto.guarantee.mu");
      FeatureMap map = FeatureMapText.parse(metadata.get("sotto.features")).scoringMap();
      Slot slot = new Slot(map.dimension());
      new JsonEventDecoder(map).decode(null, event.getBytes(StandardCharsets.UTF_8), slot);
      double[] features = new double[map.dimension()];
      for (int i = 0; i < slot.example().size(); i++) {
        features[slot.example().index(i)] = slot.example().value(i);
      }
      try (OnnxTensor in = OnnxTensor.createTensor(environment, new double[][] {features});
          OrtSession.Result result = session.run(Map.of("features", in))) {
        assertThat(((double[][]) result.get("prediction").orElseThrow().getValue())[0][0])
            .isCloseTo(expected, within(1e-12));
      }
    }
    String fields = file("fields.onnx");
    List<String> export =
        new ArrayList<>(List.of("export", "--onnx", "--onnx-input", "fields", "--out", fields));
    export.addAll(List.of(where));
    assertThat(run(export.toArray(String[]::new))).as(errors.toString()).isZero();
    try (OrtSession session = environment.createSession(fields);
        OnnxTensor in = OnnxTensor.createTensor(environment, new double[][] {{0.9}});
        OrtSession.Result result = session.run(Map.of("numeric.x", in))) {
      assertThat(((double[][]) result.get("prediction").orElseThrow().getValue())[0][0])
          .isCloseTo(expected, within(1e-12));
    }
    String[] alone = {"export", "--onnx-input", "sparse", "--out", model};
    assertThat(run(
            alone[0],
            alone[1],
            alone[2],
            alone[3],
            alone[4],
            where[0],
            "localhost:1",
            where[2],
            where[3]))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors).asString().contains("give --onnx or --mlflow too");
  }

  /** Debian's own clients read what is published, and check it. */
  @Test
  void isReadByPython() throws Exception {
    String python = Python.find("avro.io,confluent_kafka");
    assumeTrue(python != null, "no python3 with avro and confluent_kafka here");
    assertThat(run("schemas", "--out", file("schemas"))).isZero();
    assertThat(python(python, "check", file("schemas"))).isZero();
    assertThat(Files.readString(folder.resolve("python.out")))
        .contains(ROUNDS + " ledger entries, ", " 0 faults")
        .doesNotContain(" 0 whole versions");
    assertThat(python(python, "versions", file("schemas"))).isZero();
    assertThat(Files.readString(folder.resolve("python.out")))
        .contains("version " + ROUNDS, "verified");
    Files.writeString(folder.resolve("python.in"), "{\"x\":0.9}\n{\"x\":2\n");
    assertThat(run(
            "alias",
            "set",
            "champion",
            "model@newest",
            "--bootstrap-server",
            broker.bootstrapServers(),
            "--app-id",
            "minimal"))
        .isZero();
    assertThat(python(python, "score", file("schemas"), "--alias", "champion")).isZero();
    assertThat(Files.readAllLines(folder.resolve("python.out")))
        .hasSize(2)
        .first()
        .asString()
        .contains("prediction");
    assertThat(python(python, "score", file("schemas"), "--alias", "nobody")).isOne();
    assertThat(Files.readString(folder.resolve("python.err"))).contains("names no version nobody");
    // It can fail: without the schema of the ledger's records it says which header it does not
    // know.
    Path fewer = Files.createDirectories(folder.resolve("fewer"));
    try (var all = Files.newDirectoryStream(folder.resolve("schemas"), "[!L]*")) {
      for (Path each : all) {
        Files.copy(each, fewer.resolve(each.getFileName()));
      }
    }
    assertThat(python(python, "check", fewer.toString())).isOne();
    assertThat(Files.readString(folder.resolve("python.err"))).contains("begins with c301");
  }

  private static int python(String python, String command, String schemas, String... more)
      throws Exception {
    List<String> all = new ArrayList<>(List.of(
        python,
        Python.script().toString(),
        command,
        "--bootstrap-server",
        broker.bootstrapServers(),
        "--app-id",
        "minimal",
        "--schemas",
        schemas));
    all.addAll(List.of(more));
    Path in = folder.resolve("python.in");
    Process process = new ProcessBuilder(all)
        .redirectInput(Files.exists(in) ? in.toFile() : new File("/dev/null"))
        .redirectOutput(folder.resolve("python.out").toFile())
        .redirectError(folder.resolve("python.err").toFile())
        .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void saysHowFarAShorterRecordingReaches() {
    assertThat(run(
            "record",
            "--topic",
            "points",
            "--to",
            "40",
            "--bootstrap-server",
            broker.bootstrapServers(),
            "--out",
            file("shorter.avro")))
        .isZero();
    String[] ledger = {"--ledger", file("minimal.ledger.avro")};
    assertThat(verify("shorter.avro", ledger)).isEqualTo(ExitCode.DIFFERENT.code());
    assertThat(out.toString()).contains("INCOMPLETE").contains("are not covered");
    assertThat(verify("shorter.avro", ledger[0], ledger[1], "--allow-shorter")).isZero();
  }

  private int play(String recording, String... more) {
    List<String> all = new ArrayList<>(List.of(
        "play", file(recording), "--bootstrap-server", broker.bootstrapServers(), "--json"));
    all.addAll(Arrays.asList(more));
    return run(all.toArray(String[]::new));
  }

  @Test
  void playsWhatWasRecorded() throws Exception {
    assertThat(play("points.avro", "--topic", "copy")).isEqualTo(ExitCode.TOPIC.code());
    assertThat(errors.toString()).contains("--create");
    assertThat(play("points.avro", "--topic", "copy", "--create"))
        .as(errors.toString())
        .isZero();
    assertThat(errors.toString()).contains(InsideWarning.OF_RECORDINGS);
    assertThat(json().get("played").intValue()).isEqualTo(ROUNDS * BATCH + 20);
    assertThat(json().get("complete").booleanValue()).isTrue();
    await() // readers see a transaction a moment after its commit
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() -> assertThat(values("copy")).isEqualTo(values("points")));
    assertThat(play("points.avro", "--topic", "copy")).isZero();
    assertThat(json().get("played").intValue()).isZero();
    assertThat(json().get("before").intValue()).isEqualTo(ROUNDS * BATCH + 20);
  }

  private static List<String> values(String topic) {
    List<String> values = new ArrayList<>();
    try (CommittedTopic committed = new CommittedTopic(clients(), topic)) {
      committed.readToEnd(record -> values.add(record.partition() + " " + record.timestamp() + " "
          + new String(record.value(), StandardCharsets.UTF_8)));
    }
    values.sort(null);
    return values;
  }

  @Test
  void playsAndVerifiesNothingThatIsDamaged() throws Exception {
    byte[] bytes = Files.readAllBytes(Path.of(file("points.avro")));
    bytes[bytes.length / 2] ^= 1;
    Files.write(Path.of(file("damaged.avro")), bytes);
    assertThat(play("damaged.avro", "--topic", "damaged", "--create"))
        .isEqualTo(ExitCode.RECORDING.code());
    try (Admin admin = Admin.create(Map.<String, Object>copyOf(clients()))) {
      assertThat(admin.listTopics().names().get()).doesNotContain("damaged");
    }
    assertThat(verify(
            "damaged.avro",
            "--set",
            "layout=rounds",
            "--set",
            "batch.size=51",
            "--ledger",
            file("minimal.ledger.avro")))
        .isEqualTo(ExitCode.RECORDING.code());
  }

  @Test
  void refusesFlagsThatContradict() {
    assertThat(play("points.avro", "--topic", "copy", "--rate", "10", "--speed", "1"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(play("points.avro", "--topic", "copy", "--speed", "0"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(run("play", file("points.avro"), "--topic", "copy"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--bootstrap-server");
  }
}
