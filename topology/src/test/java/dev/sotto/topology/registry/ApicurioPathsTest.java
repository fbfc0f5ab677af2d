package dev.sotto.topology.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaId.By;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.schema.FieldShape.Found;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Apicurio's own paths answer, in both versions, becomes schemas with their references. */
class ApicurioPathsTest {
  private static final SchemaId GLOBAL = SchemaId.of(By.GLOBAL_ID, 300);
  private static final String AVRO = "{\"type\":\"record\",\"name\":\"E\",\"fields\":[]}";

  /** As versions 2 and 3 say it. */
  private static final String MISSING_2 =
      "{\"message\":\"No such.\",\"error_code\":404,\"name\":\"ArtifactNotFoundException\"}";

  private static final String MISSING_3 =
      "{\"title\":\"No such.\",\"status\":404,\"name\":\"ContentNotFoundException\"}";

  @TempDir
  private Path folder;

  private static String base(int version) {
    return "/apis/registry/v" + version;
  }

  private static RegistryClient client(RecordedRegistry server, String path) {
    return new RegistryClient(
        server.url(path),
        () -> "",
        Optional.empty(),
        RegistrySettings.PREFIX,
        RecordedRegistry.PATIENCE);
  }

  private SchemaRegistry registry(RecordedRegistry server, String path) throws IOException {
    return new SchemaRegistry(
        Optional.ofNullable(server).map(each -> client(each, path)),
        Optional.of(new SchemaIdFile(folder.resolve("ids.jsonl"))),
        Duration.ofMillis(150));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void resolvesASchemaWithItsReferencesAndKeepsIt(int version) throws IOException {
    String base = base(version);
    String content = version == 3 ? "/content" : "";
    String place = base + "/groups/my%20group/artifacts/p%2Fq/versions/1.0";
    try (RecordedRegistry server = new RecordedRegistry(null)
        .answerAt(
            base + "/ids/globalIds/300",
            200,
            "syntax = \"proto3\"; import \"p.proto\"; message E { Place at = 1; }")
        .answerAt(
            base + "/ids/globalIds/300/references",
            200,
            "[{\"groupId\":\"my group\",\"artifactId\":\"p/q\",\"version\":\"1.0\","
                + "\"name\":\"p.proto\"}]")
        .answerAt(place + content, 200, "syntax = \"proto3\"; message Place { string city = 1; }")
        .answerAt(place + "/references", 200, "[]")) {
      WriterSchema schema = registry(server, base + "/").schema(GLOBAL);
      assertThat(schema.kind()).isEqualTo(Kind.PROTOBUF);
      assertThat(Found.of(schema.shapes().get(0), "at.city").isThere()).isTrue();
      assertThat(server.asked).doesNotHaveDuplicates().hasSize(4);
      assertThat(registry(null, "").schema(GLOBAL)).isEqualTo(schema);
      assertThat(registry(null, "").schema(300))
          .as("an id of Confluent's paths")
          .isNull();
      assertThat(Files.readString(folder.resolve("ids.jsonl"))).startsWith("{\"globalId\":300,");
    }
  }

  @Test
  void tellsTheKindOfASchemaByItsText() throws IOException {
    String base = base(3);
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      String[] texts = {AVRO, "[\"null\"," + AVRO + "]", "{\"type\":\"object\"}", "true"};
      Kind[] kinds = {Kind.AVRO, Kind.AVRO, Kind.JSON, Kind.JSON};
      for (int id = 1; id <= texts.length; id++) {
        server.answerAt(base + "/ids/contentIds/" + id, 200, texts[id - 1]);
        server.answerAt(base + "/ids/contentIds/" + id + "/references", 200, "[]");
        assertThat(registry(server, base).schema(SchemaId.of(By.CONTENT_ID, id)).kind())
            .isEqualTo(kinds[id - 1]);
      }
      server.answerAt(base + "/ids/contentIds/9", 200, "neither");
      server.answerAt(base + "/ids/contentIds/9/references", 200, "[]");
      assertThat(registry(server, base).schema(SchemaId.of(By.CONTENT_ID, 9))).isNull();
    }
  }

  /** Apicurio's word decides that there is none; a wrong path, or a proxy's 404, does not. */
  @Test
  void believesOnlyApicurioThatThereIsNone() throws IOException {
    RecordPlace place = RecordPlace.of("topic-id", 0, 5);
    for (int version : new int[] {2, 3}) {
      String base = base(version);
      try (RecordedRegistry server = new RecordedRegistry(null)
          .answerAt(base + "/ids/globalIds/300", 404, version == 2 ? MISSING_2 : MISSING_3)) {
        SchemaRegistry registry = registry(server, base);
        assertThat(registry.schema(GLOBAL, place)).isNull();
        assertThat(registry.isSetAside(place)).isTrue();
      }
    }
    for (String other :
        new String[] {"<html>", "{\"error_code\":404,\"name\":\"NotFoundException\"}"}) {
      String base = base(2);
      try (RecordedRegistry server = new RecordedRegistry(null)
          .answerAt(base + "/ids/globalIds/300", 404, other)
          .answerAt(base + "/ids/globalIds/1", 404, other)) {
        assertThatThrownBy(() -> registry(server, base).schema(GLOBAL))
            .isInstanceOf(RegistryUnavailableException.class)
            .hasMessageContaining("must end with /apis/registry/v2 or /apis/registry/v3");
        assertThat(client(server, base).fault()).isPresent();
        server.answerAt(base + "/ids/globalIds/1", 404, MISSING_2);
        assertThat(client(server, base).fault()).isEmpty();
      }
    }
  }

  @Test
  void waitsWhereReferencesAreNotAnswered() throws IOException {
    String base = base(3);
    try (RecordedRegistry server =
        new RecordedRegistry(null).answerAt(base + "/ids/globalIds/300", 200, AVRO)) {
      assertThatThrownBy(() -> registry(server, base).schema(GLOBAL))
          .isInstanceOf(RegistryUnavailableException.class);
      server.answerAt(base + "/ids/globalIds/300/references", 200, "{}");
      assertThatThrownBy(() -> registry(server, base).schema(GLOBAL))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("its references are no list");
      server.answerAt(base + "/ids/globalIds/300/references", 200, "[]");
      assertThat(registry(server, base).schema(GLOBAL).kind()).isEqualTo(Kind.AVRO);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void findsTheNewestOfATopic(int version) throws Exception {
    String base = base(version);
    String about = base + "/groups/default/artifacts/clicks-value"
        + (version == 3 ? "/versions/branch=latest" : "/meta");
    try (RecordedRegistry server = new RecordedRegistry(null)
        .answerAt(about, 200, "{\"globalId\":300,\"contentId\":7}")
        .answerAt(base + "/ids/globalIds/300", 200, AVRO)
        .answerAt(base + "/ids/globalIds/300/references", 200, "[]")) {
      assertThat(client(server, base).newest("clicks-value")).isPresent();
      server.answerAt(about, 404, MISSING_3);
      assertThat(client(server, base).newest("clicks-value")).isEmpty();
    }
  }
}
