package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.sotto.app.preflight.EventSchemaCheck;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A configuration is held against the schema of its events before anything is learned. */
class SchemaCheckTest extends InitTestBase {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SCHEMA = """
      {"type": "record", "name": "Event", "fields": [
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal",
          "precision": 10, "scale": 2}},
        {"name": "qty", "type": "int"},
        {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A", "B"]}},
        {"name": "tags", "type": {"type": "map", "values": "string"}},
        {"name": "code", "type": {"type": "fixed", "name": "Code", "size": 4}},
        {"name": "ok", "type": "boolean"}]}
      """;

  private String config(String feature, String label, String... more) throws IOException {
    List<String> lines = new ArrayList<>(List.of(
        "app.id: v",
        "bootstrap.servers: localhost:9092",
        "events.topic: d",
        "events.format: avro",
        "features.numeric.f: {field: " + feature + ", min: 0, max: 9}",
        "label.field: " + label,
        "loss: logistic",
        "privacy.epsilon: 1",
        "privacy.delta: 1e-6",
        "noise.key.file: " + folder.resolve("noise.key")));
    lines.addAll(List.of(more));
    run("key", folder.resolve("noise.key").toString());
    file("e.avsc", SCHEMA);
    return file("c.yaml", String.join("\n", lines) + "\n").toString();
  }

  private String[] registered(String url) {
    return new String[] {
      "events.avro.framing: confluent",
      "events.registry.url: " + url,
      "state.dir: " + folder.resolve("state"),
      "privacy.horizon.rounds: endless"
    };
  }

  private String listed() {
    return "events.avro.schemas: [" + folder.resolve("e.avsc") + "]";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "price | ok | \"price\" is to be a number and is decimal (bytes)",
        "kind | ok | \"kind\" is to be a number and is enum",
        "tags | ok | \"tags\" is to be a number and is map",
        "code | ok | \"code\" is to be a number and is fixed",
        "qty | kind | \"kind\" is to be a number,"
      })
  void refusesWhatNoRecordCouldBeReadAs(String feature, String label, String fault)
      throws IOException {
    String horizon = "privacy.horizon.rounds: endless";
    String listed = config(feature, label, listed(), "events.avro.framing: raw", horizon);
    assertThat(run("run", "-c", listed, "--check")).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("events.avro.schemas", fault);

    String byRegistry = config(feature, label, registered("http://127.0.0.1:1"));
    assertThat(run("run", "-c", byRegistry, "--check", "--schema", folder + "/e.avsc"))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("--schema must have fields that can be read", fault);
  }

  @Test
  void comparesWithTheNewestSchemaOfTheRegistry() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    List<String> asked = new ArrayList<>();
    server.createContext("/", exchange -> {
      asked.add(exchange.getRequestURI().getPath());
      String body = "{\"subject\":\"d-value\",\"version\":3,\"id\":7,\"schema\":\""
          + SCHEMA.replace("\n", " ").replace("\"", "\\\"") + "\"}";
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      assertThat(run("run", "-c", config("price", "ok", registered(url)), "--check"))
          .isEqualTo(ExitCode.CONFIGURATION.code());
      assertThat(asked).containsExactly("/subjects/d-value/versions/latest");
      assertThat(errors.toString())
          .contains("subject d-value of " + url, "\"price\" is to be a number and is decimal");
      assertThat(run("run", "-c", config("qty", "ok", registered(url)), "--check"))
          .as("%s", errors)
          .isZero();
      assertThat(errors.toString()).doesNotContain("were not compared");
    } finally {
      server.stop(0);
    }
    assertThat(run("run", "-c", config("qty", "ok", registered("http://127.0.0.1:1")), "--check"))
        .as("a check needs no registry")
        .isZero();
    assertThat(errors.toString()).contains("the registry does not answer", "were not compared");
  }

  /** Nothing is started, and nothing is said before it. */
  @Test
  void refusesToRunWithoutTheFieldOfTheLabel() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", exchange -> {
      String body = "{\"subject\":\"d-value\",\"version\":3,\"id\":7,\"schema\":\""
          + SCHEMA.replace("\n", " ").replace("\"", "\\\"") + "\"}";
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      assertThat(run("run", "-c", config("qty", "okay", registered(url))))
          .isEqualTo(ExitCode.CONFIGURATION.code());
      assertThat(errors.toString())
          .startsWith("sotto: subject d-value of " + url + " must have every field that is read,"
              + " but \"okay\" is in none of 1; did you mean ok?; nothing was started");
      assertThat(out.toString()).isEmpty();
      String optional = config("kinds", "ok", registered(url));
      Path file = Path.of(optional);
      Files.writeString(file, Files.readString(file).replace("max: 9", "max: 9, optional: true"));
      assertThat(EventSchemaCheck.ofRegistry(SottoConfig.load(ConfigSource.of(file))))
          .hasValueSatisfying(each -> {
            assertThat(each.faults()).hasSize(1);
            assertThat(each.unusable()).isEmpty();
          });
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource({"protobuf, bytes, PROTOBUF", "json-schema, array, JSON"})
  void comparesWithSchemasOfOtherKinds(String format, String type, String kind) throws IOException {
    String text = format.equals("protobuf")
        ? "syntax = \"proto3\"; import \"m.proto\"; message D { bytes price = 1; int32 qty = 2;"
            + " bool ok = 3; m.M m = 4; }"
        : "{\"properties\":{\"price\":{\"type\":\"array\"},\"qty\":{\"type\":\"integer\"},"
            + "\"ok\":{\"type\":\"boolean\"},\"m\":{\"$ref\":\"m.proto#/definitions/M\"}}}";
    String referred = format.equals("protobuf")
        ? "syntax = \"proto3\"; package m; message M { double d = 1; }"
        : "{\"definitions\":{\"M\":{\"properties\":{\"d\":{\"type\":\"number\"}}}}}";
    Map<String, Object> answer = Map.of(
        "schemaType",
        kind,
        "schema",
        text,
        "references",
        List.of(Map.of("name", "m.proto", "subject", "m", "version", 4)));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", exchange -> {
      boolean main = exchange.getRequestURI().getPath().equals("/subjects/d-value/versions/latest");
      byte[] bytes = JSON.writeValueAsBytes(
          main ? answer : Map.of("schemaType", kind, "schema", referred, "version", 4));
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      assertThat(check(format, "price", url)).isEqualTo(ExitCode.CONFIGURATION.code());
      assertThat(errors.toString())
          .contains("subject d-value of " + url, "\"price\" is to be a number and is " + type);
      for (String sound : List.of("qty", "m.d")) {
        assertThat(check(format, sound, url)).as("%s", errors).isZero();
        assertThat(errors.toString()).doesNotContain("were not compared");
      }
      String file = file(format.equals("protobuf") ? "d.proto" : "d.json", text).toString();
      file("m.proto", referred);
      String nowhere = "http://127.0.0.1:1";
      assertThat(check(format, "m.d", nowhere, "--schema", file))
          .as("%s", errors)
          .isZero();
      assertThat(check(format, "m.e", nowhere, "--schema", file))
          .isEqualTo(ExitCode.CONFIGURATION.code());
      assertThat(errors.toString()).contains("\"m.e\" is in none of 1");
      assertThat(check(format, "qty", nowhere, "--schema", folder + "/e.avsc"))
          .isEqualTo(ExitCode.CONFIGURATION.code());
      assertThat(errors.toString()).contains("must be of type " + kind + ", but is of type AVRO");
    } finally {
      server.stop(0);
    }
  }

  private int check(String format, String feature, String url, String... more) throws IOException {
    String config = config(
        feature,
        "ok",
        "events.registry.url: " + url,
        "state.dir: " + folder.resolve("state"),
        "privacy.horizon.rounds: endless");
    List<String> all = new ArrayList<>(
        List.of("run", "-c", config, "--check", "--set", "events.format=" + format));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  @Test
  void refusesASchemaWhereItMeansNothing() throws IOException {
    String horizon = "privacy.horizon.rounds: endless";
    String raw = config("qty", "ok", listed(), "events.avro.framing: raw", horizon);
    assertThat(run("run", "-c", raw, "--schema", folder + "/e.avsc"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--schema is for --check");
    assertThat(run("run", "-c", raw, "--check", "--schema", folder + "/none.avsc"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("there is no schema file " + folder + "/none.avsc");
    assertThat(run("run", "-c", raw, "--check", "--schema", folder + "/e.avsc"))
        .as("%s", errors)
        .isZero();
    assertThat(run(
            "run",
            "-c",
            config("qty", "ok", horizon),
            "--set",
            "events.format=json",
            "--check",
            "--schema",
            folder + "/e.avsc"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--schema is for events in Avro");
  }
}
