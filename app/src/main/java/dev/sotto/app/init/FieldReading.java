package dev.sotto.app.init;

import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.feature.TextNumber;

/** What the values of a field are by one meaning of commas in texts. */
final class FieldReading {
  private final TextNumber numbers;
  private final ValueStatistics values; // null where they are private
  private FieldType type;

  /** Without values yet. */
  FieldReading(boolean isPublic) {
    this(NumberComma.NONE, isPublic ? new ValueStatistics() : null, FieldType.NONE);
  }

  private FieldReading(NumberComma comma, ValueStatistics values, FieldType type) {
    this.numbers = new TextNumber(comma);
    this.values = values;
    this.type = type;
  }

  /** The same values, none of which has a comma, for further ones of another meaning. */
  FieldReading with(NumberComma comma) {
    return new FieldReading(comma, values == null ? null : values.copy(), type);
  }

  void declare(FieldType stated) {
    type = type.and(stated);
  }

  void number(double value) {
    type = type.and(FieldType.NUMBER);
    if (values != null) {
      values.number(value);
    }
  }

  void text(String value) {
    if (isNumber(value)) {
      number(numbers.value());
      return;
    }
    boolean bool = value.equals("true") || value.equals("false");
    word(value, bool ? FieldType.BOOLEAN : FieldType.TEXT);
  }

  /** A value that is what its type says, whatever its text looks like. */
  void word(String value, FieldType itsType) {
    type = type.and(itsType);
    if (values != null) {
      values.text(value);
    }
  }

  /** Whether a text is a number, and not one with zeros before it, as codes and months have. */
  boolean isNumber(String text) {
    return numbers.read(text) && Double.isFinite(numbers.value()) && !isPadded(text.strip());
  }

  private static boolean isPadded(String text) {
    int at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    return text.length() > at + 1
        && text.charAt(at) == '0'
        && Character.isDigit(text.charAt(at + 1));
  }

  FieldType type() {
    return type;
  }

  /** Null where they are private. */
  ValueStatistics values() {
    return values;
  }
}
