package dev.sotto.serdes.avro;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The schemas that travel in the jar: the one in force as {@code Name.avsc}, the forms before it as
 * {@code history/Name-1.avsc}, {@code history/Name-2.avsc} and so on, without a gap.
 */
public final class SchemaFiles {
  private static final String ROOM = "/dev/sotto/serdes/";

  private SchemaFiles() {}

  /** The schema in force. */
  public static Schema current(String name) {
    Schema schema = read(ROOM + name + ".avsc");
    if (schema == null) {
      throw new IllegalStateException("the jar lacks the schema " + ROOM + name + ".avsc");
    }
    return schema;
  }

  /** The forms before it, oldest first; the place in the list is the version less one. */
  public static List<Schema> history(String name) {
    List<Schema> schemas = new ArrayList<>();
    while (true) {
      Schema schema = read(ROOM + "history/" + name + "-" + (schemas.size() + 1) + ".avsc");
      if (schema == null) {
        return List.copyOf(schemas);
      }
      schemas.add(schema);
    }
  }

  private static Schema read(String resource) {
    try (InputStream in = SchemaFiles.class.getResourceAsStream(resource)) {
      return in == null ? null : new Schema.Parser().parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the schema " + resource, e);
    }
  }
}
