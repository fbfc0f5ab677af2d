package dev.sotto.serdes.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads one field of JSON objects as text: a text that is not empty, or a whole number. It looks at
 * the field and at the names around it, and at nothing else: neither the size of the object, nor
 * what its other fields hold, nor whether it is broken behind the field makes a difference. Of a
 * name given twice the last one counts, and a name with dots in it before names within each other,
 * as {@link JsonEventDecoder} finds fields.
 */
public final class JsonFieldText {
  private static final int NONE = Integer.MAX_VALUE;

  /** Names that may stand in an object: those from some place in the path on, joined by dots. */
  private record Name(byte[] bytes, int next) {}

  private final List<List<Name>> names = new ArrayList<>();
  private final int parts;
  private final boolean wholeNumbers;

  /**
   * A reader.
   *
   * @param path its names, with dots between
   */
  public JsonFieldText(String path) {
    this(path, false);
  }

  /** The same; no number behind which the bytes end is read, if so asked: it may be cut. */
  JsonFieldText(String path, boolean wholeNumbers) {
    this.wholeNumbers = wholeNumbers;
    String[] each = path.split("\\.", -1);
    parts = each.length;
    for (int from = 0; from < parts; from++) {
      List<Name> here = new ArrayList<>();
      for (int next = parts; next > from; next--) {
        String name = String.join(".", Arrays.asList(each).subList(from, next));
        here.add(new Name(name.getBytes(StandardCharsets.UTF_8), next));
      }
      names.add(here);
    }
  }

  /** The text; null where there is none. */
  public String read(byte[] value) {
    return value == null ? null : new Reading(value).find();
  }

  private final class Reading {
    private final JsonBytes in;
    private String found;

    /**
     * The dots of the path at which the field lies one object deeper, as bits; of the first dot the
     * highest. So the way with the longest names is the smallest number.
     */
    private int foundOn = NONE;

    Reading(byte[] value) {
      this.in = new JsonBytes(value);
    }

    String find() {
      object(0, 0);
      return found;
    }

    /** Reads to the end of an object; whether it has come there. */
    private boolean object(int part, int way) {
      if (!in.take('{')) {
        return false;
      }
      if (in.take('}')) {
        return true;
      }
      do {
        int begin = in.textBegins();
        int end = in.skipText();
        if (end < 0 || !in.take(':')) {
          return false;
        }
        Name name = nameAt(part, begin, end);
        if (!(name == null ? in.skipValue() : field(name, way))) {
          return false;
        }
      } while (in.take(','));
      return in.take('}');
    }

    private Name nameAt(int part, int begin, int end) {
      for (Name each : names.get(part)) {
        if (in.isText(begin, end, each.bytes())) {
          return each;
        }
      }
      return null;
    }

    private boolean field(Name name, int way) {
      if (name.next() < parts) {
        int deeper = 1 << (parts - 1 - name.next());
        int inside = way | deeper;
        if (foundOn != NONE && (foundOn & -deeper) == inside) { // the name is given once more
          foundOn = NONE;
          found = null;
        }
        return in.peek() == '{' ? object(name.next(), inside) : in.skipValue();
      }
      in.peek();
      int from = in.position();
      boolean isText = in.peek() == '"';
      if (!in.skipValue() || wholeNumbers && !isText && in.peek() < 0) {
        return false; // where the bytes end, a number may be cut
      }
      if (way <= foundOn) {
        foundOn = way;
        found = in.idText(from, in.position());
      }
      return true;
    }
  }
}
