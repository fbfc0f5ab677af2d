package dev.sotto.topology.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaRegistryTest {
  private static final Schema INT = Schema.create(Schema.Type.INT);
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

  @Test
  void keepsAnswersThroughOutagesAndRestarts() throws IOException {
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    RecordedRegistry server = new RecordedRegistry(null)
        .answer(1, 200, RecordedRegistry.INT)
        .answer(9, 404, RecordedRegistry.NONE);
    SchemaRegistry registry = registry(server, file, SHORT);
    assertThat(registry.schema(1)).isEqualTo(INT);
    assertThat(registry.schema(9)).isNull();
    assertThat(registry.schema(1)).isEqualTo(INT);
    assertThat(server.asked).containsExactly("/api/schemas/ids/1", "/api/schemas/ids/9");
    server.answer(9, 200, RecordedRegistry.INT); // registered later: the record was set aside
    server.close();
    assertThat(registry.schema(1)).isEqualTo(INT);
    SchemaRegistry restarted = registry(server, file, SHORT);
    assertThat(restarted.schema(1)).isEqualTo(INT);
    assertThat(restarted.schema(9)).isNull();
    assertThatThrownBy(() -> restarted.schema(2))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("does not say what schema id 2 is")
        .hasMessageContaining(server.url().toString());
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
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("whether this registry has GUIDs of schemas");
    server.close();
    assertThat(server.asked).startsWith("/api/schemas/guids/" + guid);
    assertThat(registry(server, file, SHORT).schema(SchemaId.of(guid))).isEqualTo(INT);
  }

  @Test
  void waitsUntilTheRegistryAnswers() throws IOException {
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      SchemaRegistry registry = registry(server, null, LONG);
      CompletableFuture<Schema> read = CompletableFuture.supplyAsync(() -> registry.schema(1));
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

  @Test
  void stopsWhereASchemaCannotBeUsed() throws IOException {
    try (RecordedRegistry server = new RecordedRegistry(null)
        .answer(1, 200, "{\"schema\":\"\\\"int\\\"\",\"references\":[{\"name\":\"a\"}]}")) {
      SchemaRegistry registry = registry(server, null, SHORT);
      assertThatThrownBy(() -> registry.schema(1))
          .isInstanceOfSatisfying(
              SottoException.class,
              stop -> assertThat(stop.kind()).isEqualTo(FailureKind.CONFIGURATION))
          .hasMessageContaining("schema id 1")
          .hasMessageContaining("refers to other schemas");
    }
  }

  @Test
  void stopsWhereTheFileAloneDoesNotHaveAnId() throws IOException {
    Path path = folder.resolve("offline.jsonl");
    Files.writeString(path, "{\"id\":1,\"schema\":\"\\\"int\\\"\"}\n{\"id\":9,\"absent\":true}\n");
    SchemaRegistry registry = registry(null, new SchemaIdFile(path), SHORT);
    assertThat(registry.schema(1)).isEqualTo(INT);
    assertThat(registry.schema(9)).isNull();
    assertThatThrownBy(() -> registry.schema(2))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("schema id 2, which is not in " + path);
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
      assertThat(trusting.schema(2)).isEqualTo(Schema.create(Schema.Type.LONG));
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
