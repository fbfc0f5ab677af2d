package dev.sotto.app.command;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/** Avro schemas that a command is given. */
final class SchemaFile {
  private SchemaFile() {}

  /**
   * The schema in a file.
   *
   * @throws SottoException where it cannot be read
   */
  static Schema read(Path file) {
    try {
      return new Schema.Parser().parse(Files.readString(file));
    } catch (IOException | SchemaParseException unusable) {
      throw new SottoException(
          FailureKind.USAGE,
          "the schema " + file + " cannot be read: " + unusable.getMessage(),
          unusable);
    }
  }
}
