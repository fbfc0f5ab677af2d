package dev.sotto.app.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.sotto.client.MadeVersion;
import dev.sotto.client.ModelChoice;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.RegistryUnavailableException;
import dev.sotto.topology.registry.SchemaRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events that name their schemas by ids of a registry are scored; in an outage none is lost. */
class RegisteredEventsTest {
  private static final Schema OLD =
      SchemaBuilder.record("E").fields().requiredDouble("x").endRecord();
  private static final Schema NEW =
      SchemaBuilder.record("E").fields().requiredDouble("y").requiredDouble("x").endRecord();
  private static final FeatureMap MAP = FeatureMap.builder()
      .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
      .numeric("y", "y", -1, 1, Transform.IDENTITY, true)
      .label("label", new LabelRule.AsItIs())
      .build();

  private final AtomicBoolean up = new AtomicBoolean(true);
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/schemas/ids/", exchange -> {
      String id = exchange.getRequestURI().getPath().substring("/schemas/ids/".length());
      Schema schema = id.equals("1") ? OLD : id.equals("2") ? NEW : null;
      String answer = schema == null
          ? "{\"error_code\":40403,\"message\":\"Schema not found\"}"
          : "{\"schema\":\"" + schema.toString().replace("\"", "\\\"") + "\"}";
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(up.get() ? schema == null ? 404 : 200 : 503, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static ScoringModel model(String framing) {
    double[] weights = {0.25, 2, -1};
    MadeVersion made = MadeVersion.of(
        "m",
        1,
        weights,
        MAP.describe() + "events avro " + framing + "\nmax-bytes 1000\n",
        "logistic");
    return ScoringModel.of(new PublishedModel(made.manifest(), weights));
  }

  private SchemaRegistry registry() throws IOException {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new SchemaRegistry(
        Optional.of(new RegistryClient(url, () -> "", Optional.empty())),
        Optional.empty(),
        Duration.ofMillis(150));
  }

  private static byte[] event(int id, double... fields) {
    ByteBuffer bytes = ByteBuffer.allocate(5 + 8 * fields.length).put((byte) 0).putInt(id);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (double each : fields) {
      bytes.putDouble(each);
    }
    return bytes.array();
  }

  private static TopologyTestDriver driver(EventSchemas schemas, boolean aside) {
    ScoreSettings settings = new ScoreSettings(
        Map.of("bootstrap.servers", "unused:1"),
        new ScoreSettings.Model("app", new ModelChoice.Newest(null)),
        new ScoreSettings.Topics("in", "out", aside ? Optional.of("aside") : Optional.empty()),
        new ScoreSettings.Streams("id", 1, false, (short) 1),
        schemas);
    ScoringModel model = model("confluent");
    return new TopologyTestDriver(ScoreTopology.build(settings, () -> model), new Properties());
  }

  @Test
  void scoresWhatTwoSchemasSay() throws IOException {
    EventSchemas schemas = new EventSchemas(List.of(), Optional.of(registry()));
    Scorer scorer = schemas.scorer(model("confluent"));
    assertThat(scorer.score(event(1, 0.5))).isEqualTo(RecordStatus.USED);
    assertThat(scorer.prediction()).isEqualTo(expected(Map.of("x", 0.5)));
    assertThat(scorer.score(event(2, -0.25, 0.5))).isEqualTo(RecordStatus.USED);
    assertThat(scorer.prediction())
        .isEqualTo(expected(Map.of("x", 0.5, "y", -0.25)))
        .isNotEqualTo(expected(Map.of("x", 0.5)));
    assertThat(scorer.score(event(3, 0.5))).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
  }

  private static double expected(Map<String, Double> fields) {
    Scorer maps = model("confluent").scorer();
    assertThat(maps.score(fields)).isEqualTo(RecordStatus.USED);
    return maps.prediction();
  }

  @Test
  void anOutageLeavesTheEventUnread() throws IOException {
    up.set(false);
    SchemaRegistry registry = registry();
    EventSchemas schemas = new EventSchemas(List.of(), Optional.of(registry));
    try (TopologyTestDriver driver = driver(schemas, true)) {
      Throwable thrown = catchThrowable(() -> send(driver, event(1, 0.5)));
      assertThat(thrown).hasRootCauseInstanceOf(RegistryUnavailableException.class);
      ScoringFailures failures = new ScoringFailures(() -> 0);
      for (int i = 0; i < 50; i++) { // other faults stop it at the eleventh
        assertThat(failures.handle(thrown)).isEqualTo(StreamThreadExceptionResponse.REPLACE_THREAD);
      }
      assertThat(read(driver, "out")).isEmpty();
      assertThat(read(driver, "aside")).isEmpty();
    }
    up.set(true);
    try (TopologyTestDriver driver = driver(schemas, true)) {
      send(driver, event(1, 0.5));
      send(driver, event(3, 0.5));
      assertThat(read(driver, "out"))
          .containsExactly("{\"prediction\":" + expected(Map.of("x", 0.5)) + "}");
      assertThat(read(driver, "aside")).hasSize(1);
    }
  }

  @Test
  void readsIdsFromHeaders() throws IOException {
    byte[] whole = event(1, 0.5);
    byte[] id = Arrays.copyOf(whole, 5);
    byte[] body = Arrays.copyOfRange(whole, 5, whole.length);
    EventSchemas schemas = new EventSchemas(List.of(), Optional.of(registry()));
    try (TopologyTestDriver driver = driver(schemas, true)) {
      for (byte[] each : List.of(id, event(3), new byte[] {0})) {
        driver
            .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
            .pipeInput(
                new TestRecord<>(null, body, new RecordHeaders().add("__value_schema_id", each)));
      }
      assertThat(read(driver, "out"))
          .containsExactly("{\"prediction\":" + expected(Map.of("x", 0.5)) + "}");
      assertThat(driver
              .createOutputTopic("aside", new ByteArrayDeserializer(), new ByteArrayDeserializer())
              .readRecordsToList())
          .extracting(each ->
              new String(each.headers().lastHeader("sotto.reason").value(), StandardCharsets.UTF_8))
          .containsExactly("UNKNOWN_SCHEMA", "UNREADABLE");
    }
  }

  private static void send(TopologyTestDriver driver, byte[] event) {
    driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(event);
  }

  private static List<String> read(TopologyTestDriver driver, String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readValuesToList()
        .stream()
        .map(value -> new String(value, StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void stopsAtOnceWhereAnAnswerCannotBeKept() {
    SottoException unusable = new SottoException(FailureKind.CONFIGURATION, "no such folder");
    ScoringFailures failures = new ScoringFailures(() -> 0);
    assertThat(failures.handle(new StreamsException(unusable)))
        .isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    assertThat(failures.failure()).contains(unusable);
  }

  @Test
  void saysWhichSchemasAreMissing() {
    EventSchemas none = new EventSchemas(List.of(), Optional.empty());
    assertThat(catchThrowable(() -> none.scorer(model("confluent"))))
        .hasMessageContaining("--registry-url");
    assertThat(catchThrowable(() -> none.scorer(model("single-object"))))
        .hasMessageContaining("--schema FILE");
    WriterSchemas unasked = id -> {
      throw new AssertionError("asked for " + id);
    };
    EventSchemas written = new EventSchemas(List.of(OLD, NEW), Optional.of(unasked));
    assertThat(written.scorer(model("single-object")).score(event(1, 0.5)))
        .isEqualTo(RecordStatus.UNREADABLE);
  }
}
