package dev.sotto.serdes.event;

import dev.sotto.serdes.feature.FieldPaths;
import dev.sotto.serdes.text.SpecialBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The names of fields that have been met, so that a name is known by its bytes. Values mostly have
 * their names in one order: each is compared with the one that came next before, then with those
 * after that.
 */
final class PlainNames {
  private static final int LONGEST = 255; // in bytes
  private static final int MOST = 1024; // kept
  private static final int LOOKS = 32; // at names, for one that does not come next

  private Name[] names = new Name[16]; // in the order in which they came first
  private int known;
  private int next; // the place of the name that probably comes next

  /** The next name is the first of a value. */
  void begin() {
    next = 0;
  }

  /**
   * The name that begins at a place.
   *
   * @param parent where its object is
   * @return null where it is not of the usual form
   */
  Name find(byte[] json, int at, FieldPaths.Node parent) {
    int place = next;
    for (int looks = Math.min(known, LOOKS); looks > 0; looks--) {
      place = place < known ? place : 0;
      Name name = names[place++];
      if (name.parent == parent && name.isAt(json, at)) {
        next = place;
        return name;
      }
    }
    return another(json, at, parent);
  }

  private Name another(byte[] json, int at, FieldPaths.Node parent) {
    int end = endOfQuoted(json, at);
    if (end == PlainText.NO) {
      return null;
    }
    String text = new String(json, at + 1, end - at - 2, StandardCharsets.UTF_8);
    Name name = new Name(parent, Arrays.copyOfRange(json, at, end), parent.child(text));
    if (known < MOST) {
      names = known < names.length ? names : Arrays.copyOf(names, 2 * known);
      names[known++] = name;
      next = known;
    }
    return name;
  }

  /** The place after a name in its quotes; {@link PlainText#NO} if it is not of the usual form. */
  static int endOfQuoted(byte[] json, int at) {
    int end = json[at] == '"' ? PlainText.end(json, at + 1) : PlainText.NO;
    return end == PlainText.NO || end - at > LONGEST ? PlainText.NO : end + 1;
  }

  /** A name in an object, and what is wanted there. */
  static final class Name {
    private final FieldPaths.Node parent;
    private final FieldPaths.Node node;
    private final byte[] quoted;
    private final long begin; // its first bytes, up to eight
    private final long mask; // of as many
    private final long end; // its last eight bytes, where there are more

    private Name(FieldPaths.Node parent, byte[] quoted, FieldPaths.Node node) {
      this.parent = parent;
      this.quoted = quoted;
      this.node = node;
      int most = Math.min(quoted.length, Long.BYTES);
      int longer = Math.max(quoted.length, Long.BYTES);
      this.begin = SpecialBytes.eight(Arrays.copyOf(quoted, longer), 0);
      this.mask = -1L >>> Long.SIZE - Byte.SIZE * most;
      this.end = SpecialBytes.eight(Arrays.copyOf(quoted, longer), longer - Long.BYTES);
    }

    /** What is wanted of the field; null for nothing. */
    FieldPaths.Node node() {
      return node;
    }

    /** How many bytes it has, with its quotes. */
    int length() {
      return quoted.length;
    }

    private boolean isAt(byte[] json, int at) {
      int length = quoted.length;
      if (at + Math.max(length, Long.BYTES) > json.length) {
        return at + length <= json.length
            && Arrays.equals(json, at, at + length, quoted, 0, length);
      }
      return (SpecialBytes.eight(json, at) & mask) == begin
          && (length <= Long.BYTES || SpecialBytes.eight(json, at + length - Long.BYTES) == end)
          && (length <= 2 * Long.BYTES || Arrays.equals(json, at, at + length, quoted, 0, length));
    }
  }
}
