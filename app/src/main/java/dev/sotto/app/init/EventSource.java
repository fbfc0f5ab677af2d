package dev.sotto.app.init;

import dev.sotto.serdes.schema.WriterSchema;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where events come from.
 *
 * @param name of the sample, for comments
 * @param topic to learn from
 * @param servers the brokers
 * @param schema the file of the schema; empty for JSON without one and ready-made examples
 */
public record EventSource(String name, String topic, String servers, Optional<Path> schema) {
  /** Of which kind the schema in a file is: {@code .proto}, {@code .json}, or else Avro's. */
  public static WriterSchema.Kind kind(Path file) {
    String name = file.toString();
    return name.endsWith(".proto")
        ? WriterSchema.Kind.PROTOBUF
        : name.endsWith(".json") ? WriterSchema.Kind.JSON : WriterSchema.Kind.AVRO;
  }
}
