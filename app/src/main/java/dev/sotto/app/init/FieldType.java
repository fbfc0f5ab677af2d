package dev.sotto.app.init;

/** What the values of a field are. */
enum FieldType {
  /** Nothing was seen but null. */
  NONE("no value"),
  NUMBER("a number"),
  BOOLEAN("true or false"),
  TEXT("text"),
  /** Several of the three above. */
  MIXED("values of several types, as with NA among numbers"),
  /** A list, a map or bytes, which no feature can read. */
  UNREADABLE("a list, a map or bytes");

  private final String words;

  FieldType(String words) {
    this.words = words;
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
