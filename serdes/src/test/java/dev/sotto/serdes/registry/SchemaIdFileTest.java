package dev.sotto.serdes.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaIdFileTest {
  private static final RegisteredSchema ONE =
      new RegisteredSchema(SchemaId.of(1), Schema.create(Schema.Type.INT));
  private static final RegisteredSchema NONE =
      RegisteredSchema.unusable(SchemaId.of(-2), "it is of type JSON, and only AVRO is read");
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

  @Test
  void knowsAnswersOfRegistries() {
    assertThat(RegisteredSchema.answer(SchemaId.of(1), "{\"schema\":\"\\\"int\\\"\"}"))
        .isEqualTo(ONE);
    assertThat(
            RegisteredSchema.answer(SchemaId.of(-2), "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}"))
        .isEqualTo(NONE);
    for (String unusable : new String[] {
      "{\"schema\":\"\\\"int\\\"\",\"references\":[{\"name\":\"a\"}]}",
      "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message A {}\"}",
      "{\"schema\":\"{\\\"type\\\":\\\"record\\\"}\"}",
      "{\"schema\":\"" + "[".repeat(100_000) + "\"}"
    }) {
      RegisteredSchema answer = RegisteredSchema.answer(SchemaId.of(1), unusable);
      assertThat(answer.schema()).isEmpty();
      assertThat(answer.fault()).startsWith("it");
    }
    assertThat(RegisteredSchema.errorCode("{\"error_code\":40403}")).isEqualTo(40403);
    assertThat(RegisteredSchema.errorCode("<html>")).isZero();
  }
}
