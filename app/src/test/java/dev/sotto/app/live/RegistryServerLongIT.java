package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.RegistryConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaId.By;
import dev.sotto.serdes.schema.FieldShape.Found;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.AvroSchema;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.FramedCopies;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.live.TwinEvents;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.runtime.LearnerService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two evolved schemas of a real registry, which is killed before the learner has met the second:
 * nothing is set aside, and the model is that of the events in single-object encoding.
 */
@Tag("long")
@Timeout(400)
class RegistryServerLongIT {
  private static final int EVENTS = 48;
  private static final int BATCH = 4;
  private static final Duration OUTAGE = Duration.ofSeconds(12); // the learner gives up after 5

  @TempDir
  private Path folder;

  @Test
  void learnsTheSameThoughTheRegistryIsKilled() throws Exception {
    assumeTrue(
        RegistryServer.program().isPresent(),
        "skipped: target/registry-server is not there; run with -Pregistry-server to fetch it");
    try (RegistryServer server = new RegistryServer(folder);
        Cluster cluster = Cluster.shared()) {
      server.start();
      int old = server.register("registered-value", TwinEvents.OLD);
      int evolved = server.register("registered-value", TwinEvents.NEW);
      assertThat(evolved).isNotEqualTo(old);
      TwinEvents events = TwinEvents.of(EVENTS, EVENTS / 2, old, evolved);
      SchemaRegistry schemas = RegistryConfig.load(ConfigSource.of("flags", "")
              .withFlags(List.of("events.registry.url=" + server.url())))
          .orElseThrow();
      Trial trial = Trial.of("registered", folder, cluster.clients())
          .withModel(
              TwinEvents.MAP.dimension(),
              BATCH,
              () -> new RegisteredEventDecoder(TwinEvents.MAP, Kind.AVRO, schemas, 1 << 20));
      cluster.createTopic(trial.topic(), 1, Map.of());
      try (LearnerService service = FramedCopies.learner(trial, schemas, server.url());
          var producer = cluster.producer(Map.of())) {
        service.start();
        List<ProducerRecord<byte[], byte[]>> records = events.records(trial.topic());
        records.subList(0, EVENTS / 2).forEach(producer::send);
        await().until(() -> trial.published().ledger().size() >= EVENTS / 2 / BATCH);
        server.kill();
        records.subList(EVENTS / 2, EVENTS + 1).forEach(producer::send);
        producer.flush();
        await()
            .during(OUTAGE)
            .until(() -> trial.published().letters().isEmpty() && service.failure() == null);
        assertThat(trial.published().ledger()).hasSizeLessThan(EVENTS / BATCH);
        server.start();
        await()
            .until(() -> trial.published().ledger().size() >= EVENTS / BATCH
                && !trial.published().letters().isEmpty());
        assertThat(service.failure()).isNull();
      }
      check(trial, events);
      FramedCopies.require(trial, id -> ((AvroSchema) schemas.schema(id)).schema());
      waitsAtTheStart(server, trial, schemas);
    }
  }

  /** By its own paths, with references; a number that there is not is none. */
  @Test
  void answersForItsOwnTwoNumbers() throws Exception {
    assumeTrue(
        RegistryServer.program().isPresent(),
        "skipped: target/registry-server is not there; run with -Pregistry-server to fetch it");
    try (RegistryServer server = new RegistryServer(folder)) {
      server.start();
      String place = "syntax = \"proto3\"; package sotto; message Place { string city = 1; }";
      server.register("place", Map.of("schemaType", "PROTOBUF", "schema", place));
      Map<String, Object> event = Map.of(
          "schemaType",
          "PROTOBUF",
          "schema",
          "syntax = \"proto3\"; import \"place.proto\"; message E { sotto.Place at = 1; }",
          "references",
          List.of(Map.of("name", "place.proto", "subject", "place", "version", 1)));
      server.register("first-value", event);
      server.register("second-value", event);
      JsonNode about = server.about("second-value");
      int global = about.get("globalId").intValue();
      int content = about.get("contentId").intValue();
      assertThat(global).isNotEqualTo(content);
      SchemaRegistry schemas = RegistryConfig.load(ConfigSource.of("flags", "")
              .withFlags(List.of("events.registry.url=" + server.ownUrl())))
          .orElseThrow();
      WriterSchema found = schemas.schema(SchemaId.of(By.GLOBAL_ID, global));
      assertThat(found.kind()).isEqualTo(Kind.PROTOBUF);
      assertThat(Found.of(found.shapes().get(0), "at.city").isThere()).isTrue();
      assertThat(schemas.schema(SchemaId.of(By.CONTENT_ID, content))).isEqualTo(found);
      assertThat(schemas.schema(SchemaId.of(By.GLOBAL_ID, 1 << 20))).isNull();
      RegistryClient client = schemas.client().orElseThrow();
      assertThat(client.fault()).isEmpty();
      assertThat(client.newest("second-value")).contains(found);
      assertThat(client.newest("third-value")).isEmpty();
    }
  }

  /** A learner that starts again while the registry is away learns nothing before it is back. */
  private static void waitsAtTheStart(RegistryServer server, Trial trial, SchemaRegistry schemas)
      throws Exception {
    server.kill();
    try (LearnerService service = FramedCopies.learner(trial, schemas, server.url())) {
      CompletableFuture<Void> start = CompletableFuture.runAsync(service::start);
      await().until(() -> service.status().waiting().isPresent());
      assertThat(start).isNotDone();
      server.start();
      start.join();
      assertThat(service.status().waiting()).isEmpty();
    }
  }

  private static void check(Trial trial, TwinEvents events) throws Exception {
    Trial twin = trial.withModel(
        TwinEvents.MAP.dimension(),
        BATCH,
        () -> new AvroEventDecoder(
            TwinEvents.MAP, AvroFraming.SINGLE_OBJECT, List.of(TwinEvents.OLD, TwinEvents.NEW)));
    Published published = trial.published();
    assertThat(published.ledger())
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(twin.expectedDigests(events.twins().subList(0, EVENTS)));
    assertThat(published.letters())
        .extracting(each -> Published.header(each, "sotto.offset"))
        .containsExactly(String.valueOf(EVENTS)); // the id that no registry has
    assertThat(Published.header(published.letters().get(0), "sotto.reason"))
        .isEqualTo(RecordStatus.UNKNOWN_SCHEMA.name());
  }

  /** Threads that are replaced end with what they threw, which is no failure of the test. */
  private static ConditionFactory await() {
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(Trial.PATIENCE.multipliedBy(2))
        .pollInterval(Duration.ofMillis(300));
  }
}
