package dev.sotto.app.init;

import dev.sotto.serdes.feature.NumberComma;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A field of a sample: its names and type and, only where the sample is public, its values. */
final class SampleField {
  private final List<String> names;
  private final Map<NumberComma, FieldReading> readings = new EnumMap<>(NumberComma.class);
  private NumberComma comma = NumberComma.NONE;
  private boolean hasPoints; // a text with a point is a number
  private boolean needsDecimal;
  private boolean needsThousands;
  private boolean required;
  private List<String> symbols = List.of();

  SampleField(List<String> names, boolean isPublic) {
    this.names = List.copyOf(names);
    this.readings.put(NumberComma.NONE, new FieldReading(isPublic));
  }

  /** The path: the names with dots between. */
  String path() {
    return String.join(".", names);
  }

  /** The names from the outermost to the field's own. */
  List<String> names() {
    return names;
  }

  FieldType type() {
    return reading().type();
  }

  private FieldReading reading() {
    return readings.getOrDefault(comma, readings.get(NumberComma.NONE));
  }

  /** Adds a type that a schema states. */
  void declare(FieldType stated) {
    readings.values().forEach(each -> each.declare(stated));
  }

  /** Says that by its schema no record is without it. */
  void require() {
    required = true;
  }

  /** Whether a record may be without it; true unless a schema says otherwise. */
  boolean isOptional() {
    return !required;
  }

  /** The symbols that a schema states, none elsewhere. */
  List<String> symbols() {
    return symbols;
  }

  /** Adds the symbols that a schema states. */
  void symbols(List<String> stated) {
    symbols = List.copyOf(stated);
  }

  void number(double value) {
    readings.values().forEach(each -> each.number(value));
  }

  void bool(boolean value) {
    readings.values().forEach(each -> each.word(String.valueOf(value), FieldType.BOOLEAN));
  }

  /** A text whose schema says that it is one. */
  void word(String value) {
    readings.values().forEach(each -> each.word(value, FieldType.TEXT));
  }

  /** A text, which may be meant as a number, or as true or false. */
  void text(String value) {
    FieldReading plain = readings.get(NumberComma.NONE);
    hasPoints |= value.indexOf('.') >= 0 && plain.isNumber(value);
    if (value.indexOf(',') >= 0) {
      boolean decimal = with(NumberComma.DECIMAL).isNumber(value);
      boolean thousands = with(NumberComma.THOUSANDS).isNumber(value);
      needsDecimal |= decimal && !thousands;
      needsThousands |= thousands && !decimal;
    }
    readings.values().forEach(each -> each.text(value));
  }

  private FieldReading with(NumberComma meaning) {
    return readings.computeIfAbsent(
        meaning, each -> readings.get(NumberComma.NONE).with(meaning));
  }

  /** Whether its texts are numbers by one meaning of commas only, which is this one. */
  boolean needs(NumberComma meaning) {
    return readings.containsKey(meaning)
        && readings.get(meaning).type() == FieldType.NUMBER
        && (meaning == NumberComma.DECIMAL ? needsDecimal && !hasPoints : needsThousands);
  }

  /** Whether its texts are numbers with points, which they are not where commas are decimal. */
  boolean hasPoints() {
    return hasPoints && readings.get(NumberComma.NONE).type() == FieldType.NUMBER;
  }

  /** Reads its texts by one meaning of commas. */
  void settle(NumberComma meaning) {
    comma = meaning;
  }

  /** Its values; empty where they are private, or where there are none. */
  Optional<ValueStatistics> values() {
    return Optional.ofNullable(reading().values()).filter(each -> each.count() > 0);
  }

  /** How many values it can have, where that is public. */
  Optional<Integer> knownValues() {
    if (type() == FieldType.BOOLEAN) {
      return Optional.of(2);
    }
    return symbols.isEmpty()
        ? values().map(ValueStatistics::distinct)
        : Optional.of(symbols.size());
  }
}
