package dev.sotto.serdes.registry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of ids and schemas, one {@link RegisteredSchema#line} each. It stands for a registry where
 * none can be asked, and keeps the schemas that one has answered. Safe for use by several threads.
 */
public final class SchemaIdFile {
  private final Path path;
  private FileChannel out; // null before the first line that is added

  public SchemaIdFile(Path path) {
    this.path = path;
  }

  /** Where it is, or will be. */
  public Path path() {
    return path;
  }

  /**
   * What is in it; nothing where there is no such file. A last line without an end that cannot be
   * read was being written, and counts as absent. A schema counts rather than that the registry's
   * could not be used: whoever wrote it knows.
   *
   * @throws IllegalArgumentException naming the line that cannot be read, or that gives an id
   *     another meaning
   */
  public Map<SchemaId, RegisteredSchema> read() throws IOException {
    Map<SchemaId, RegisteredSchema> found = new HashMap<>();
    if (!Files.exists(path)) {
      return found;
    }
    String text = Files.readString(path);
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      try {
        RegisteredSchema.line(lines.get(i)).ifPresent(each -> put(found, each));
      } catch (IllegalArgumentException broken) {
        if (i < lines.size() - 1 || text.endsWith("\n")) {
          throw new IllegalArgumentException(
              path + " line " + (i + 1) + ": " + broken.getMessage(), broken);
        }
      }
    }
    return found;
  }

  private static void put(Map<SchemaId, RegisteredSchema> found, RegisteredSchema each) {
    RegisteredSchema before = found.putIfAbsent(each.id(), each);
    if (before == null || each.schema().isEmpty()) {
      return;
    }
    if (before.schema().isPresent() && !before.equals(each)) {
      throw new IllegalArgumentException("its id has another meaning above");
    }
    found.put(each.id(), each);
  }

  /** Adds a line at the end, on the disk when this returns. */
  public synchronized void add(RegisteredSchema schema) throws IOException {
    String start = "";
    if (out == null) {
      Files.createDirectories(path.toAbsolutePath().getParent());
      start = Files.exists(path) ? mend() : "";
      out = FileChannel.open(
          path, StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.DSYNC);
    }
    out.write(ByteBuffer.wrap((start + schema.line() + "\n").getBytes(StandardCharsets.UTF_8)));
  }

  /** Removes a last line that was being written; what must stand before the next line. */
  private String mend() throws IOException {
    String text = Files.readString(path);
    if (text.isEmpty() || text.endsWith("\n")) {
      return "";
    }
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    try {
      RegisteredSchema.line(text.substring(whole.length()));
      return "\n";
    } catch (IllegalArgumentException torn) {
      try (var cut = FileChannel.open(path, StandardOpenOption.WRITE)) {
        cut.truncate(whole.getBytes(StandardCharsets.UTF_8).length);
      }
      return "";
    }
  }
}
