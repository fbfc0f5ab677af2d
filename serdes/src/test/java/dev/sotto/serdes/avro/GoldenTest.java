package dev.sotto.serdes.avro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes of one sample of every record and version. A file that exists never changes; after a
 * new version of a schema, {@code -Dgolden.update=true} writes the missing files, and only those.
 */
class GoldenTest {
  private static final Path ROOM = Path.of("src", "test", "resources", "golden");

  record Golden(String name, int version, byte[] bytes) {
    @Override
    public String toString() {
      return name + "-" + version;
    }
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void keepsTheBytesOfEveryVersion(Golden golden) throws IOException {
    Path file = ROOM.resolve(golden + ".hex");
    if (Boolean.getBoolean("golden.update") && Files.notExists(file)) {
      Files.createDirectories(ROOM);
      Files.writeString(file, HexFormat.of().formatHex(golden.bytes) + "\n");
    }
    assertThat(file).exists();
    assertThat(HexFormat.of().formatHex(golden.bytes))
        .isEqualTo(Files.readString(file).strip());
  }

  /** Of a generator that is the same under every seed, as the stored bytes are. */
  static Stream<Golden> goldens() {
    Stream<Golden> kinds =
        Samples.kinds().stream().flatMap(kind -> versions(kind.name(), kind.bytes(new Random(7))));
    return Stream.concat(kinds, versions("Example", example()));
  }

  private static byte[] example() {
    byte[] unit = {1, 2, 3};
    return ExampleCodec.encodeSparse(
        "an id", unit, new int[] {0, 3, 1000}, new double[] {0.5, -0.25, 1e-9}, -1, 0.75);
  }

  private static Stream<Golden> versions(String name, byte[] current) {
    var history = SchemaFiles.history(name);
    GenericRecord record = SingleObject.of(name).decode(current);
    Stream.Builder<Golden> goldens = Stream.builder();
    for (int i = 0; i < history.size(); i++) {
      goldens.add(new Golden(name, i + 1, written(record, history.get(i))));
    }
    goldens.add(new Golden(name, history.size() + 1, current));
    return goldens.build();
  }

  /** What of the record an older schema has a field for, as its version wrote it. */
  static byte[] written(GenericRecord record, Schema schema) {
    var old = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      old.put(field.pos(), record.get(field.name()));
    }
    try {
      var encoder = new BinaryMessageEncoder<GenericRecord>(new GenericData(), schema);
      return encoder.encode(old).array();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
