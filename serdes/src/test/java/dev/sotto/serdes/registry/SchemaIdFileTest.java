package dev.sotto.serdes.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaIdFileTest {
  private static final RegisteredSchema ONE =
      new RegisteredSchema(1, Optional.of(Schema.create(Schema.Type.INT)));
  private static final RegisteredSchema NONE = new RegisteredSchema(-2, Optional.empty());

  @TempDir
  private Path folder;

  @Test
  void keepsWhatWasAdded() throws IOException {
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    assertThat(file.read()).isEmpty();
    file.add(ONE);
    file.add(NONE);
    assertThat(new SchemaIdFile(file.path()).read().values()).containsExactlyInAnyOrder(ONE, NONE);
  }

  @Test
  void readsLinesWrittenByHand() throws IOException {
    Path path = folder.resolve("hand.jsonl");
    Files.writeString(
        path, "{\"id\":1,\"schema\":\"\\\"int\\\"\"}\n\n{\"id\":3,\"schema\":{\"type\":\"int\"}}");
    var file = new SchemaIdFile(path);
    assertThat(file.read()).containsOnlyKeys(1, 3).containsEntry(1, ONE);
    file.add(NONE);
    assertThat(file.read()).containsOnlyKeys(1, 3, -2);
  }

  @Test
  void forgetsALineThatWasBeingWritten() throws IOException {
    var file = new SchemaIdFile(folder.resolve("torn.jsonl"));
    file.add(ONE);
    String whole = Files.readString(file.path());
    Files.writeString(file.path(), whole + NONE.line().substring(0, 9));
    assertThat(file.read()).containsOnlyKeys(1);
    file.add(NONE);
    assertThat(Files.readString(file.path())).isEqualTo(whole + NONE.line() + "\n");
  }

  @Test
  void namesTheLineThatIsWrong() throws IOException {
    Path path = folder.resolve("wrong.jsonl");
    for (String line : new String[] {
      "{\"id\":1}",
      "{\"schema\":\"\\\"int\\\"\"}",
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
    assertThat(RegisteredSchema.answer(1, "{\"schema\":\"\\\"int\\\"\"}")).isEqualTo(ONE);
    assertThat(RegisteredSchema.answer(-2, "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}"))
        .isEqualTo(NONE);
    assertThat(RegisteredSchema.errorCode("{\"error_code\":40403}")).isEqualTo(40403);
    assertThat(RegisteredSchema.errorCode("<html>")).isZero();
  }
}
