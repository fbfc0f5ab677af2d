package dev.sotto.serdes.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that an earlier version has written, whose schema is kept as history. */
class EarlierFormsTest {
  private static final Schema FIRST =
      SchemaBuilder.record("Figure").fields().requiredLong("round").endRecord();
  private static final Schema SECOND = SchemaBuilder.record("Figure")
      .fields()
      .requiredLong("round")
      .name("queries")
      .type()
      .intType()
      .intDefault(1)
      .endRecord();

  @Test
  void readTheDefaultOfWhatTheyLack() {
    GenericRecord written = new GenericData.Record(FIRST);
    written.put("round", 7L);
    byte[] bytes = new SingleObject("Figure", FIRST, List.of()).encode(written);
    SingleObject now = new SingleObject("Figure", SECOND, List.of(FIRST));
    GenericRecord read = now.decode(bytes);
    assertThat(read.get("round")).isEqualTo(7L);
    assertThat(read.get("queries")).isEqualTo(1);
    assertThat(now.decode(now.upgrade(bytes))).isEqualTo(read);
  }

  @Test
  void areRefusedWhereTheirSchemaIsNotKept() {
    GenericRecord written = new GenericData.Record(FIRST);
    written.put("round", 7L);
    byte[] bytes = new SingleObject("Figure", FIRST, List.of()).encode(written);
    assertThatThrownBy(() -> new SingleObject("Figure", SECOND, List.of()).decode(bytes))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("a schema this version does not know");
  }

  static List<String> names() throws java.io.IOException {
    return SchemaFilesTest.files().stream()
        .map(file -> file.getFileName().toString().split("[-.]")[0])
        .distinct()
        .toList();
  }

  /** From the first release on, whatever was written stays readable. */
  @ParameterizedTest
  @MethodSource("names")
  void stayReadableBySchema(String name) {
    Schema current = SchemaFiles.current(name);
    for (Schema earlier : SchemaFiles.history(name)) {
      assertThat(SingleObject.fingerprint(earlier)).isNotEqualTo(SingleObject.fingerprint(current));
      assertThat(SchemaCompatibility.checkReaderWriterCompatibility(current, earlier)
              .getType())
          .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
    }
  }
}
