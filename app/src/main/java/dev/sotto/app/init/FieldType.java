package dev.sotto.app.init;

import java.util.Locale;

/** What the values of a field are. */
enum FieldType {
  /** Nothing was seen but null. */
  NONE("no value", "null"),
  NUMBER("a number", "number"),
  BOOLEAN("true or false", "boolean"),
  TEXT("text", "text"),
  /** Several of the three above. */
  MIXED("values of several types", "value"),
  /** A list, a map or bytes, which no feature can read. */
  UNREADABLE("a list, a map or bytes", "list");

  private final String words;
  private final String one;

  FieldType(String words, String one) {
    this.words = words;
    this.one = one;
  }

  /** A number of values of it, in words. */
  String counted(long count) {
    return String.format(Locale.ROOT, "%,d %s%s", count, one, count == 1 ? "" : "s");
  }

  /** The type of a field with values of both. */
  FieldType and(FieldType other) {
    if (this == other || other == NONE) {
      return this;
    }
    if (this == NONE) {
      return other;
    }
    return this == UNREADABLE || other == UNREADABLE ? UNREADABLE : MIXED;
  }

  /** Whether the text of its values can be a category. */
  boolean isCategory() {
    return this == TEXT || this == BOOLEAN || this == MIXED;
  }

  String words() {
    return words;
  }
}
