package dev.sotto.topology.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.AvroSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class SchemaRegistryTest {
  private static final WriterSchema INT = new AvroSchema(Schema.create(Schema.Type.INT));
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration LONG = Duration.ofMinutes(5);

  /** A key and its certificate for 127.0.0.1, made by keytool for a hundred years. */
  private static final Path KEYS = Path.of("src/test/resources/registry");

  @TempDir
  private Path folder;

  private static RegistryClient client(RecordedRegistry server) {
    return client(server, () -> "", Optional.empty());
  }

  private static RegistryClient client(
      RecordedRegistry server, RegistryClient.Authorization how, Optional<SSLContext> tls) {
    return new RegistryClient(
        server.url(), how, tls, RegistrySettings.PREFIX, RecordedRegistry.PATIENCE);
  }

  private static SchemaRegistry registry(RecordedRegistry server, SchemaIdFile file, Duration wait)
      throws IOException {
    return new SchemaRegistry(
        Optional.ofNullable(server).map(SchemaRegistryTest::client),
        Optional.ofNullable(file),
        wait);
  }

  private static RecordPlace at(long offset) {
    return RecordPlace.of("topic-id", 0, offset);
  }

  @Test
  void keepsSchemasThroughOutagesAndRestarts() throws IOException {
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    RecordedRegistry server = new RecordedRegistry(null).answer(1, 200, RecordedRegistry.INT);
    SchemaRegistry registry = registry(server, file, SHORT);
    assertThat(registry.schema(1)).isEqualTo(INT);
    assertThat(registry.schema(1)).isEqualTo(INT);
    assertThat(server.asked).containsExactly("/api/schemas/ids/1");
    server.close();
    assertThat(registry.schema(1)).isEqualTo(INT);
    SchemaRegistry restarted = registry(server, file, SHORT);
    assertThat(restarted.schema(1)).isEqualTo(INT);
    assertThatThrownBy(() -> restarted.schema(234_567))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("does not say what the schema of a record is")
        .hasMessageContaining(server.url().toString())
        .hasMessageNotContaining("234567"); // a part of what the record holds
  }

  @Test
  void thatThereIsNoneBindsTheRecordForWhichItWasFoundAlone() throws IOException {
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    try (RecordedRegistry server =
        new RecordedRegistry(null).answer(9, 404, RecordedRegistry.NONE)) {
      SchemaRegistry registry = registry(server, file, SHORT);
      assertThat(registry.isSetAside(at(5))).isFalse();
      assertThat(registry.schema(SchemaId.of(9), at(5))).isNull();
      assertThat(registry.schema(SchemaId.of(9), at(6))).isNull();
      assertThat(server.asked).hasSize(2);
      server.answer(9, 200, RecordedRegistry.INT);
      assertThat(registry.schema(SchemaId.of(9), at(7))).isEqualTo(INT);
      for (SchemaRegistry each :
          List.of(registry, registry(server, new SchemaIdFile(file.path()), SHORT))) {
        assertThat(List.of(each.isSetAside(at(5)), each.isSetAside(at(6)))).containsOnly(true);
        assertThat(List.of(each.isSetAside(at(4)), each.isSetAside(at(7)))).containsOnly(false);
        assertThat(each.schema(SchemaId.of(9), at(8))).isEqualTo(INT);
      }
      assertThat(Files.readAllLines(file.path())).hasSize(1);
    }
  }

  /** A file of before, which said so of an id, no longer decides what becomes of later records. */
  @Test
  void asksAgainForWhatAFileOfBeforeCallsAbsent() throws IOException {
    Path path = Files.writeString(folder.resolve("old.jsonl"), "{\"id\":9,\"absent\":true}\n");
    try (RecordedRegistry server =
        new RecordedRegistry(null).answer(9, 200, RecordedRegistry.INT)) {
      assertThat(registry(server, new SchemaIdFile(path), SHORT).schema(SchemaId.of(9), at(5)))
          .isEqualTo(INT);
    }
  }

  @Test
  void nothingGrowsWithIdsThatNobodyRegistered() throws IOException {
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      SchemaRegistry registry = registry(server, file, SHORT);
      for (int id = 1000; id < 1100; id++) {
        server.answer(id, 404, RecordedRegistry.NONE);
        assertThat(registry.schema(SchemaId.of(id), at(id))).isNull();
      }
      assertThat(registry.known()).isEmpty();
      assertThat(file.path()).doesNotExist();
      assertThat(server.asked).hasSize(100); // one question a record, and nothing is read back
    }
  }

  @Test
  void asksForGuidsAndKeepsThemToo() throws IOException {
    UUID guid = UUID.fromString("89791762-2336-4186-9674-299b90a802e2");
    UUID other = new UUID(1, 2);
    var file = new SchemaIdFile(folder.resolve("guids.jsonl"));
    RecordedRegistry server = new RecordedRegistry(null)
        .answer(guid, 200, RecordedRegistry.INT)
        .answer(other, 404, "{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}");
    SchemaRegistry registry = registry(server, file, SHORT);
    assertThat(registry.schema(SchemaId.of(guid))).isEqualTo(INT);
    assertThatThrownBy(() -> registry.schema(SchemaId.of(other)))
        .isInstanceOf(RegistryUnavailableException.class); // nothing else answers either
    server.close();
    assertThat(server.asked).startsWith("/api/schemas/guids/" + guid);
    assertThat(registry(server, file, SHORT).schema(SchemaId.of(guid))).isEqualTo(INT);
  }

  @Test
  void waitsUntilTheRegistryAnswers() throws IOException {
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      SchemaRegistry registry = registry(server, null, LONG);
      CompletableFuture<WriterSchema> read =
          CompletableFuture.supplyAsync(() -> registry.schema(1));
      while (server.asked.size() < 2) {
        Thread.onSpinWait();
      }
      assertThat(read).isNotDone();
      assertThat(registry.waiting()).isPresent();
      server.answer(1, 200, RecordedRegistry.INT);
      assertThat(read.join()).isEqualTo(INT);
      assertThat(registry.waiting()).isEmpty();
    }
  }

  @Test
  void decidesNothingByAnAnswerThatIsNoRegistrys() throws IOException {
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      SchemaRegistry registry = registry(server, null, SHORT);
      String wrongPath = "check events.registry.url";
      for (var each : List.of(
          List.of(404, "<html>", wrongPath),
          List.of(404, "{\"error_code\":404}", wrongPath),
          List.of(200, "<html>", wrongPath),
          List.of(302, "", "302"),
          List.of(401, "{}", "check events.registry.auth"),
          List.of(500, RecordedRegistry.NONE, "500"))) {
        server.answer(1, (Integer) each.get(0), (String) each.get(1));
        assertThatThrownBy(() -> registry.schema(1))
            .isInstanceOf(RegistryUnavailableException.class)
            .hasMessageContaining((String) each.get(2));
      }
      server.answer(1, 200, RecordedRegistry.INT);
      assertThat(registry.schema(1)).isEqualTo(INT);
    }
  }

  /** One record must not end a learner: a schema of no use sets aside what names it. */
  @Test
  void setsAsideWhatNamesASchemaThatCannotBeUsed() throws IOException {
    String[] unusable = {
      "{\"schema\":\"\\\"int\\\"\",\"references\":[{\"name\":\"a\"}]}",
      "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message A {\"}",
      "{\"schemaType\":\"THRIFT\",\"schema\":\"struct A {}\"}",
      "{\"schema\":\"no schema\"}",
      "{\"schema\":\"" + " ".repeat(5 << 20) + "\"}"
    };
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      SchemaRegistry registry = registry(server, file, SHORT);
      for (int id = 0; id < unusable.length; id++) {
        server.answer(id, 200, unusable[id]);
        assertThat(registry.schema(SchemaId.of(id), at(id))).isNull();
        assertThat(registry.schema(SchemaId.of(id), at(100 + id))).isNull();
        assertThat(registry.isSetAside(at(id))).isFalse(); // by its own id, which never changes
      }
      assertThat(server.asked).hasSize(unusable.length);
      assertThat(Files.size(file.path())).isLessThan(1000);
      Files.writeString(
          file.path(), Files.readString(file.path()) + "{\"id\":0,\"schema\":\"\\\"int\\\"\"}\n");
      assertThat(registry(server, new SchemaIdFile(file.path()), SHORT).schema(0))
          .isEqualTo(INT);
    }
  }

  /** A schema is known once everything is to which it refers; until then nothing is decided. */
  @Test
  void waitsForWhatASchemaRefersTo() throws IOException {
    String main = "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = \\\"proto3\\\";"
        + " message E { M m = 1; }\",\"references\":[{\"name\":\"m.proto\",\"subject\":\"m\","
        + "\"version\":2}]}";
    String referred =
        "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message M { optional int32 n = 1; }\"}";
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    RecordedRegistry server = new RecordedRegistry(null).answer(5, 200, main);
    SchemaRegistry registry = registry(server, file, SHORT);
    assertThatThrownBy(() -> registry.schema(SchemaId.of(5), at(1)))
        .isInstanceOf(RegistryUnavailableException.class);
    assertThat(List.of(registry.isSetAside(at(1)), Files.exists(file.path()))).containsOnly(false);
    server.answer("m/versions/2", 200, referred);
    WriterSchema found = registry.schema(SchemaId.of(5), at(1));
    assertThat(found.references()).containsOnlyKeys("m.proto");
    server.close();
    assertThat(registry(server, new SchemaIdFile(file.path()), SHORT).schema(5)).isEqualTo(found);
  }

  /** A registry that answers others, and refuses this question, has nothing under this id. */
  @Test
  void setsAsideWhatTheRegistryRefusesToSayOfOneId() throws IOException {
    UUID guid = new UUID(1, 2);
    try (RecordedRegistry server = new RecordedRegistry(null)
        .answer(guid, 404, "{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}")
        .answer(-5, 400, "<html>")
        .answer(6, 403, "{\"error_code\":40301}")
        .answer(7, 429, "{}")
        .answer(8, 500, "{}")) {
      SchemaRegistry registry = registry(server, null, SHORT);
      for (SchemaId id : List.of(SchemaId.of(guid), SchemaId.of(-5), SchemaId.of(6))) {
        server.answer(1, 403, "{}");
        assertThatThrownBy(() -> registry.schema(id, at(1)))
            .isInstanceOf(RegistryUnavailableException.class);
        server.answer(1, 404, RecordedRegistry.NONE);
        assertThat(registry.schema(id, at(2))).isNull();
        server.answer(1, 200, RecordedRegistry.LONG);
        assertThat(registry.schema(id, at(3))).isNull();
      }
      assertThat(List.of(registry.isSetAside(at(1)), registry.isSetAside(at(2))))
          .containsExactly(false, true);
      for (int id : new int[] {7, 8}) {
        assertThatThrownBy(() -> registry.schema(SchemaId.of(id), at(4)))
            .isInstanceOf(RegistryUnavailableException.class);
      }
    }
  }

  @Test
  void setsAsideWhatTheFileAloneDoesNotHave() throws IOException {
    Path path = folder.resolve("offline.jsonl");
    Files.writeString(path, "{\"id\":1,\"schema\":\"\\\"int\\\"\"}\n{\"id\":9,\"absent\":true}\n");
    SchemaRegistry registry = registry(null, new SchemaIdFile(path), SHORT);
    assertThat(registry.schema(1)).isEqualTo(INT);
    assertThat(registry.schema(SchemaId.of(9), at(1))).isNull();
    assertThat(registry.schema(SchemaId.of(2), at(2))).isNull();
    Files.writeString(path, "{\"id\":2,\"schema\":\"\\\"int\\\"\"}\n"); // by its operator
    SchemaRegistry restarted = registry(null, new SchemaIdFile(path), SHORT);
    assertThat(restarted.isSetAside(at(2))).isTrue();
    assertThat(restarted.schema(SchemaId.of(2), at(3))).isEqualTo(INT);
  }

  /** An id is content, 16 bytes of it in a GUID: the log outside names none. */
  @Test
  void namesIdsToTheLogInsideAlone() throws IOException {
    Logger all = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    all.addAppender(lines);
    UUID guid = new UUID(0x53534e3d3037382dL, 0x30352d3131323021L);
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      assertThatThrownBy(() -> registry(server, null, SHORT).schema(SchemaId.of(guid), at(1)))
          .hasMessageNotContaining("3037");
      server.answer(guid, 404, RecordedRegistry.NONE);
      assertThat(registry(server, null, SHORT).schema(SchemaId.of(guid), at(1))).isNull();
    } finally {
      all.detachAppender(lines);
    }
    List<ILoggingEvent> naming = List.copyOf(lines.list).stream()
        .filter(each -> each.getFormattedMessage().contains(guid.toString()))
        .toList();
    assertThat(naming).hasSize(2);
    assertThat(naming).allMatch(each -> each.getLoggerName().startsWith("inside."));
    assertThat(lines.list).anyMatch(each -> each.getLoggerName().startsWith("dev.sotto"));
  }

  @Test
  void connectsByTlsWithCredentialsThatAreRotated() throws Exception {
    Path certificates = KEYS.resolve("ca.pem");
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(KEYS.resolve("server.p12"))) {
      store.load(in, "secret".toCharArray());
    }
    KeyManagerFactory manager =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    manager.init(store, "secret".toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(manager.getKeyManagers(), null, null);
    try (RecordedRegistry server = new RecordedRegistry(tls)
        .answer(1, 200, RecordedRegistry.INT)
        .answer(2, 200, RecordedRegistry.LONG)) {
      String[] secret = {"Basic dTpw"};
      var trusting = new SchemaRegistry(
          Optional.of(
              client(server, () -> secret[0], Optional.of(TrustedCertificates.of(certificates)))),
          Optional.empty(),
          LONG);
      assertThat(trusting.schema(1)).isEqualTo(INT);
      secret[0] = "Bearer new";
      assertThat(trusting.schema(2)).isEqualTo(new AvroSchema(Schema.create(Schema.Type.LONG)));
      assertThat(server.asked)
          .containsExactly("/api/schemas/ids/1 Basic dTpw", "/api/schemas/ids/2 Bearer new");
      SchemaRegistry stranger = registry(server, null, SHORT);
      assertThatThrownBy(() -> stranger.schema(1))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("certif");
      assertThat(server.asked).hasSize(2);
    }
  }
}
