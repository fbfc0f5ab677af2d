package dev.sotto.serdes.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Reads one field of JSON objects as text: a text that is not empty, or a whole number. It looks at
 * the field and at the names around it, and at nothing else: neither the size of the object, nor
 * what its other fields hold, nor whether it is broken behind the field makes a difference. Of a name
 * given twice the last one counts.
 */
public final class JsonFieldText {
  private final List<byte[]> path;

  /**
   * A reader.
   *
   * @param path its names, with dots between
   */
  public JsonFieldText(String path) {
    this.path = Arrays.stream(path.split("\\."))
        .map(name -> name.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  /** The text; null where there is none. */
  public String read(byte[] value) {
    return value == null ? null : new Reading(value).find();
  }

  private final class Reading {
    private final JsonBytes in;
    private String found;

    Reading(byte[] value) {
      this.in = new JsonBytes(value);
    }

    String find() {
      object(0);
      return found;
    }

    /** Reads to the end of an object; whether it has come there. */
    private boolean object(int depth) {
      if (!in.take('{')) {
        return false;
      }
      if (in.take('}')) {
        return true;
      }
      do {
        int name = in.textBegins();
        int end = in.skipText();
        if (end < 0 || !in.take(':')) {
          return false;
        }
        boolean read = in.isText(name, end, path.get(depth)) ? field(depth) : in.skipValue();
        if (!read) {
          return false;
        }
      } while (in.take(','));
      return in.take('}');
    }

    private boolean field(int depth) {
      found = null;
      if (depth < path.size() - 1) {
        return in.peek() == '{' ? object(depth + 1) : in.skipValue();
      }
      in.peek();
      int from = in.position();
      if (!in.skipValue()) {
        return false;
      }
      found = in.idText(from, in.position());
      return true;
    }
  }
}
