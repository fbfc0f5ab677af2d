package dev.sotto.serdes.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.serdes.schema.FieldShape.Found;
import dev.sotto.serdes.schema.WriterSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaIdFileTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final RegisteredSchema ONE =
      new RegisteredSchema(SchemaId.of(1), Schema.create(Schema.Type.INT));
  private static final RegisteredSchema NONE =
      RegisteredSchema.unusable(SchemaId.of(-2), "it is of type XSD, which is not known");
  private static final RegisteredSchema GUID = new RegisteredSchema(
      SchemaId.of(UUID.fromString("89791762-2336-4186-9674-299b90a802e2")), ONE.schema(), "");

  @TempDir
  private Path folder;

  @Test
  void keepsWhatWasAdded() throws IOException {
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    assertThat(file.read()).isEmpty();
    file.add(ONE);
    file.add(NONE);
    file.add(GUID);
    assertThat(new SchemaIdFile(file.path()).read().values())
        .containsExactlyInAnyOrder(ONE, NONE, GUID);
  }

  @Test
  void readsLinesWrittenByHand() throws IOException {
    Path path = folder.resolve("hand.jsonl");
    Files.writeString(
        path, "{\"id\":1,\"schema\":\"\\\"int\\\"\"}\n\n{\"id\":3,\"schema\":{\"type\":\"int\"}}");
    var file = new SchemaIdFile(path);
    assertThat(file.read())
        .containsOnlyKeys(SchemaId.of(1), SchemaId.of(3))
        .containsEntry(SchemaId.of(1), ONE);
    file.add(NONE);
    assertThat(file.read()).containsOnlyKeys(SchemaId.of(1), SchemaId.of(3), SchemaId.of(-2));
  }

  /** Versions before wrote down that an id was missing, and so decided all later records of it. */
  @Test
  void takesNoIdForMissingAndAnOperatorsSchemaBeforeARegistrys() throws IOException {
    Path path = folder.resolve("before.jsonl");
    Files.writeString(
        path,
        "{\"id\":7,\"absent\":true}\n{\"id\":1,\"unusable\":\"it refers to other schemas\"}\n"
            + ONE.line() + "\n{\"id\":1,\"unusable\":\"it refers to other schemas\"}\n");
    assertThat(new SchemaIdFile(path).read()).containsOnlyKeys(SchemaId.of(1)).containsValue(ONE);
  }

  @Test
  void forgetsALineThatWasBeingWritten() throws IOException {
    var file = new SchemaIdFile(folder.resolve("torn.jsonl"));
    file.add(ONE);
    file = new SchemaIdFile(file.path());
    String whole = Files.readString(file.path());
    Files.writeString(file.path(), whole + NONE.line().substring(0, 9));
    assertThat(file.read()).containsOnlyKeys(SchemaId.of(1));
    file.add(NONE);
    assertThat(Files.readString(file.path())).isEqualTo(whole + NONE.line() + "\n");
  }

  @Test
  void namesTheLineThatIsWrong() throws IOException {
    Path path = folder.resolve("wrong.jsonl");
    for (String line : new String[] {
      "{\"id\":1}",
      "{\"schema\":\"\\\"int\\\"\"}",
      "{\"guid\":\"x\",\"absent\":true}",
      "{\"id\":1,\"schema\":\"\\\"int\\\"\",\"references\":[{\"name\":\"a\"}],\"x\":1}",
      "{\"id\":1,\"guid\":\"89791762-2336-4186-9674-299b90a802e2\",\"absent\":true}",
      "[]",
      "{\"id\":1,\"schema\":\"none\"}",
      "{\"id\":7,\"schema\":\"\\\"long\\\"\"}",
      "{\"id\":1,\"schema\":\"\\\"int\\\"\",\"references\":[{\"name\":\"a\"}]}"
    }) {
      Files.writeString(path, "{\"id\":7,\"schema\":\"\\\"int\\\"\"}\n" + line + "\n");
      assertThatThrownBy(() -> new SchemaIdFile(path).read())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(path + " line 2: ");
    }
  }

  private static RegisteredSchema answer(int id, String json)
      throws IOException, InterruptedException {
    return RegisteredSchema.answer(SchemaId.of(id), json, (subject, version) -> {
      throw new AssertionError("asked for " + subject + " " + version);
    });
  }

  @Test
  void knowsAnswersOfRegistries() throws Exception {
    assertThat(answer(1, "{\"schema\":\"\\\"int\\\"\"}")).isEqualTo(ONE);
    assertThat(answer(-2, "{\"schemaType\":\"XSD\",\"schema\":\"{}\"}")).isEqualTo(NONE);
    for (String unusable : new String[] {
      "{\"schema\":\"\\\"int\\\"\",\"references\":[{\"name\":\"a\"}]}",
      "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message A {\"}",
      "{\"schemaType\":\"PROTOBUF\",\"schema\":\"enum A { B = 0; }\"}",
      "{\"schemaType\":\"PROTOBUF\",\"schema\":\"" + "message A {".repeat(100_000) + "\"}",
      "{\"schemaType\":\"JSON\",\"schema\":\"[]\"}",
      "{\"schemaType\":\"JSON\",\"schema\":\"{} {}\"}",
      "{\"schema\":\"{\\\"type\\\":\\\"record\\\"}\"}",
      "{\"schema\":\"" + "[".repeat(100_000) + "\"}"
    }) {
      RegisteredSchema answer = answer(1, unusable);
      assertThat(answer.schema()).isEmpty();
      assertThat(answer.fault()).startsWith("it");
    }
    assertThat(RegisteredSchema.errorCode("{\"error_code\":40403}")).isEqualTo(40403);
    assertThat(RegisteredSchema.errorCode("<html>")).isZero();
  }

  /** What a schema refers to is asked for once each, and stands in the file with it. */
  @Test
  void resolvesReferencesAndKeepsThem() throws Exception {
    Map<String, String> subjects = new HashMap<>();
    subjects.put(
        "m 3", protobuf("message Money { int64 units = 1; Place at = 2; }", "p.proto", "p"));
    subjects.put("p 3", protobuf("message Place { string city = 1; }"));
    List<String> asked = new ArrayList<>();
    RegisteredSchema.Subjects registry = (subject, version) -> {
      asked.add(subject + " " + version);
      return Optional.ofNullable(subjects.get(subject + " " + version));
    };
    String main =
        protobuf("message E { Money m = 1; Place p = 2; }", "m.proto", "m", "p.proto", "p");
    RegisteredSchema found = RegisteredSchema.answer(SchemaId.of(5), main, registry);
    assertThat(asked).containsExactly("m 3", "p 3");
    WriterSchema schema = found.schema().orElseThrow();
    assertThat(schema.references()).containsOnlyKeys("p.proto", "m.proto");
    assertThat(Found.of(schema.shapes().get(0), "m.at.city").isThere()).isTrue();
    SchemaIdFile file = new SchemaIdFile(folder.resolve("kept.jsonl"));
    file.add(found);
    assertThat(new SchemaIdFile(file.path()).read()).containsEntry(SchemaId.of(5), found);

    subjects.remove("p 3");
    assertThat(RegisteredSchema.answer(SchemaId.of(5), main, registry).fault())
        .isEqualTo("it refers to a schema that the registry does not have");
    subjects.put("p 3", protobuf("message Place {}", "m.proto", "m")); // in a circle
    assertThat(RegisteredSchema.answer(SchemaId.of(5), main, registry).schema()).isPresent();
    RegisteredSchema.Subjects chain = (subject, version) ->
        Optional.of(protobuf("message Place {}", subject + "x", subject + "x"));
    assertThat(RegisteredSchema.answer(SchemaId.of(5), main, chain).fault())
        .contains("more than 200");
  }

  /** Those of Avro become one schema, which needs no references in the file. */
  @Test
  void resolvesReferencesOfAvro() throws Exception {
    String place = "{'type':'record','name':'Place','fields':[{'name':'city','type':'string'}]}";
    String event = "{'type':'record','name':'E','fields':[{'name':'p','type':'Place'}]}";
    String json = MAPPER.writeValueAsString(Map.of(
        "schema",
        event.replace('\'', '"'),
        "references",
        List.of(Map.of("name", "Place", "subject", "p", "version", 3))));
    RegisteredSchema found = RegisteredSchema.answer(
        SchemaId.of(5),
        json,
        (subject, version) ->
            Optional.of(MAPPER.writeValueAsString(Map.of("schema", place.replace('\'', '"')))));
    assertThat(Found.of(found.schema().orElseThrow().shapes().get(0), "p.city").isThere())
        .isTrue();
    assertThat(RegisteredSchema.line(found.line())).contains(found);
    assertThat(found.line()).doesNotContain("references");
  }

  /** An answer with version 3 of others, by pairs of name and subject. */
  private static String protobuf(String messages, String... references) throws IOException {
    List<Map<String, Object>> all = new ArrayList<>();
    for (int i = 0; i < references.length; i += 2) {
      all.add(Map.of("name", references[i], "subject", references[i + 1], "version", 3));
    }
    return MAPPER.writeValueAsString(Map.of(
        "schemaType",
        "PROTOBUF",
        "schema",
        "syntax = \"proto3\";\n" + messages,
        "references",
        all));
  }
}
