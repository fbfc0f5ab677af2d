package dev.sotto.serdes.avro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaFilesTest {
  private static final Path ROOM = Path.of("src", "main", "avro");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(ROOM)) {
      return files.filter(file -> file.toString().endsWith(".avsc")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void documentsEveryRecordAndField(Path file) throws IOException {
    Schema schema = new Schema.Parser().parse(file.toFile());
    assertThat(schema.getNamespace()).isEqualTo("dev.sotto");
    assertThat(file.getFileName().toString().split("[-.]")[0]).isEqualTo(schema.getName());
    assertDocumented(schema);
  }

  @Test
  void packsEveryFileIntoTheJar() throws IOException {
    for (Path file : files()) {
      String resource = "/dev/sotto/serdes/" + ROOM.relativize(file).toString().replace('\\', '/');
      assertThat(SchemaFiles.class.getResource(resource)).as(resource).isNotNull();
      String name = file.getFileName().toString().split("[-.]")[0];
      assertThat(SchemaFiles.current(name).getName()).isEqualTo(name);
    }
  }

  @Test
  void givesSharedTypesOneMeaning() throws IOException {
    Map<String, String> canonical = new HashMap<>();
    for (Path file : files()) {
      if (!file.getParent().endsWith("history")) {
        collect(new Schema.Parser().parse(file.toFile()), canonical);
      }
    }
    assertThat(canonical).containsKeys("dev.sotto.Guarantee", "dev.sotto.SparseFeatures");
  }

  private static void collect(Schema schema, Map<String, String> canonical) {
    if (schema.getType() == Schema.Type.RECORD) {
      String form = org.apache.avro.SchemaNormalization.toParsingForm(schema);
      assertThat(canonical.computeIfAbsent(schema.getFullName(), name -> form)).isEqualTo(form);
    }
    children(schema).forEach(child -> collect(child, canonical));
  }

  private static void assertDocumented(Schema schema) {
    // A property such as java-class has no business in a schema of ours.
    assertThat(schema.getObjectProps()).isEmpty();
    if (schema.getType() == Schema.Type.RECORD) {
      assertThat(schema.getDoc()).as(schema.getFullName()).endsWith(".");
      for (Schema.Field field : schema.getFields()) {
        assertThat(field.doc()).as(schema.getFullName() + "." + field.name()).endsWith(".");
        assertThat(field.getObjectProps()).isEmpty();
      }
    }
    children(schema).forEach(SchemaFilesTest::assertDocumented);
  }

  private static Stream<Schema> children(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> schema.getFields().stream().map(Schema.Field::schema);
      case UNION -> schema.getTypes().stream();
      case ARRAY -> Stream.of(schema.getElementType());
      default -> Stream.empty();
    };
  }
}
