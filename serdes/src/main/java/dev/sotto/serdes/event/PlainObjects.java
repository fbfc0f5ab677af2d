package dev.sotto.serdes.event;

import static dev.sotto.serdes.event.PlainText.NO;

import dev.sotto.serdes.feature.DecimalText;
import dev.sotto.serdes.feature.FieldPaths;
import dev.sotto.serdes.feature.FieldValues;
import java.util.Arrays;

/**
 * Reads JSON objects of the usual form straight from their bytes: no token and no text lies
 * between. It judges nothing: an object of any other form, broken ones included, is left to a
 * parser, and what it does read, a parser reads alike.
 *
 * <p>The usual form: names and texts without escapes, names of up to 254 bytes, numbers of up to
 * 100 characters, objects and lists up to 32 deep.
 */
final class PlainObjects {
  private static final int UNWANTED = -1; // the place of a value that nobody reads
  private static final int DEEPEST = 32;
  private static final int LONGEST_NUMBER = 100;
  private static final int LONG_DIGITS = 18; // as many characters of digits and sign fit a long

  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private final FieldPaths paths;
  private final FieldValues values;
  private final PlainNames names = new PlainNames();
  private final DecimalText digits = new DecimalText('.');
  private byte[] json;

  PlainObjects(FieldPaths paths, FieldValues values) {
    this.paths = paths;
    this.values = values;
  }

  /**
   * Reads one value, from a place on, into the fields, which must be clear.
   *
   * @return whether it is of the usual form; if not, the fields may hold a part of it
   */
  boolean read(byte[] value, int from) {
    json = value;
    names.begin();
    try {
      int at = blanks(from);
      at = json[at] == '{' ? members(at + 1, '}', paths.root(), 0, 1) : NO;
      return at != NO && blanks(at) == json.length;
    } catch (ArrayIndexOutOfBoundsException truncated) {
      return false;
    } finally {
      json = null;
    }
  }

  // Each of these begins at a place, and returns the place after what it has read, or NO.

  /**
   * What an object or a list holds.
   *
   * @param closing the bracket that ends it
   * @param node what is wanted of an object; null for nothing
   */
  private int members(int from, char closing, FieldPaths.Node node, int way, int depth) {
    int at = blanks(from);
    if (json[at] == closing) {
      return at + 1;
    }
    while (true) {
      at = closing == '}' ? member(at, node, way, depth) : value(at, UNWANTED, depth);
      if (at == NO) {
        return NO;
      }
      at = blanks(at);
      byte next = json[at++];
      if (next != ',') {
        return next == closing ? at : NO;
      }
      at = blanks(at);
    }
  }

  private int member(int from, FieldPaths.Node parent, int way, int depth) {
    if (parent == null) {
      int at = colon(PlainNames.endOfQuoted(json, from));
      return at == NO ? NO : value(at, UNWANTED, depth);
    }
    PlainNames.Name name = names.find(json, from, parent);
    int at = name == null ? NO : colon(from + name.length());
    if (at == NO || name.node() == null) {
      return at == NO ? NO : value(at, UNWANTED, depth);
    }
    FieldPaths.Node node = name.node();
    int place = values.meets(node, way) ? node.place() : UNWANTED;
    return json[at] == '{' && node.hasChildren()
        ? nested(at, place, node, way | node.level(), depth)
        : value(at, place, depth);
  }

  private int colon(int from) {
    int at = from == NO ? NO : blanks(from);
    return at != NO && json[at] == ':' ? blanks(at + 1) : NO;
  }

  /** The place of the next byte that is no blank, which may be the end. */
  private int blanks(int from) {
    int at = from;
    while (at < json.length && json[at] <= ' ' && isBlank(json[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte each) {
    return each == ' ' || each == '\n' || each == '\r' || each == '\t';
  }

  private int value(int at, int place, int depth) {
    return switch (json[at]) {
      case '"' -> text(at + 1, place);
      case 't' -> word(at, TRUE, place);
      case 'f' -> word(at, FALSE, place);
      case 'n' -> word(at, NULL, UNWANTED); // it is missing
      case '{', '[' -> nested(at, place, null, 0, depth);
      default -> number(at, place);
    };
  }

  private int nested(int at, int place, FieldPaths.Node node, int way, int depth) {
    if (place != UNWANTED) {
      values.other(place);
    }
    char closing = json[at] == '{' ? '}' : ']';
    return depth == DEEPEST ? NO : members(at + 1, closing, node, way, depth + 1);
  }

  private int text(int from, int place) {
    if (place == UNWANTED) {
      int end = PlainText.end(json, from);
      return end == NO ? NO : end + 1;
    }
    int end = values.numberText(place, json, from);
    if (end == NO) {
      end = PlainText.end(json, from);
      if (end == NO) {
        return NO;
      }
      values.text(place, json, from, end - from);
    }
    return end + 1;
  }

  private int word(int at, byte[] word, int place) {
    int end = at + word.length;
    if (!Arrays.equals(json, at, Math.min(end, json.length), word, 0, word.length)) {
      return NO;
    }
    if (place != UNWANTED) {
      values.bool(place, word == TRUE);
    }
    return ended(end);
  }

  private int number(int from, int place) {
    boolean negative = json[from] == '-';
    int first = negative ? from + 1 : from;
    int at = digits.read(json, first, json.length);
    int whole = digits.whole();
    if (whole == 0
        || whole > 1 && json[first] == '0'
        || digits.isPointed() && digits.fraction() == 0
        || at - from > LONGEST_NUMBER) {
      return NO;
    }
    if (place == UNWANTED) {
      return ended(at);
    }
    boolean isWhole = at - first == whole;
    if (isWhole && at - from <= LONG_DIGITS) {
      values.integer(place, negative ? -digits.mantissa() : digits.mantissa());
      return ended(at);
    }
    double value = digits.value(negative);
    if (isWhole) {
      values.integer(place, json, from, at - from, value);
    } else {
      values.fraction(place, value);
    }
    return ended(at);
  }

  /** The same place, where a number or a word may end there. */
  private int ended(int at) {
    byte next = json[at];
    return next == ',' || next == '}' || next == ']' || isBlank(next) ? at : NO;
  }
}
