package dev.sotto.serdes.registry;

import java.io.IOException;
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
 * none can be asked, and keeps what one has answered.
 */
public record SchemaIdFile(Path path) {
  /**
   * What is in it; nothing where there is no such file. A last line without an end that cannot be
   * read was being written, and counts as absent.
   *
   * @throws IllegalArgumentException naming the line that cannot be read, or an id with two meanings
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
        RegisteredSchema each = RegisteredSchema.line(lines.get(i));
        RegisteredSchema before = found.putIfAbsent(each.id(), each);
        if (before != null && !before.equals(each)) {
          throw new IllegalArgumentException("id " + each.id() + " has another meaning above");
        }
      } catch (IllegalArgumentException broken) {
        if (i < lines.size() - 1 || text.endsWith("\n")) {
          throw new IllegalArgumentException(
              path + " line " + (i + 1) + ": " + broken.getMessage(), broken);
        }
      }
    }
    return found;
  }

  /** Adds a line at the end, on the disk when this returns. */
  public void add(RegisteredSchema schema) throws IOException {
    String start = Files.exists(path) ? mend() : "";
    if (path.toAbsolutePath().getParent() != null) {
      Files.createDirectories(path.toAbsolutePath().getParent());
    }
    Files.writeString(
        path,
        start + schema.line() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND,
        StandardOpenOption.DSYNC);
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
      try (var out = FileChannel.open(path, StandardOpenOption.WRITE)) {
        out.truncate(whole.getBytes(StandardCharsets.UTF_8).length);
      }
      return "";
    }
  }
}
