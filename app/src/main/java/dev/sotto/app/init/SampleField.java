package dev.sotto.app.init;

import java.util.List;
import java.util.Optional;

/** A field of a sample: its names and type and, only where the sample is public, its values. */
final class SampleField {
  private final List<String> names;
  private final ValueStatistics values; // null where they are private
  private FieldType type = FieldType.NONE;
  private boolean required;
  private List<String> symbols = List.of();

  SampleField(List<String> names, boolean isPublic) {
    this.names = List.copyOf(names);
    this.values = isPublic ? new ValueStatistics() : null;
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
    return type;
  }

  /** Adds a type that a schema states. */
  void declare(FieldType stated) {
    type = type.and(stated);
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
    type = type.and(FieldType.NUMBER);
    if (values != null) {
      values.number(value);
    }
  }

  void bool(boolean value) {
    type = type.and(FieldType.BOOLEAN);
    if (values != null) {
      values.text(String.valueOf(value));
    }
  }

  void text(String value) {
    type = type.and(FieldType.TEXT);
    if (values != null) {
      values.text(value);
    }
  }

  /** Its values; empty where they are private, or where there are none. */
  Optional<ValueStatistics> values() {
    return Optional.ofNullable(values).filter(each -> each.count() > 0);
  }

  /** How many values it can have, where that is public. */
  Optional<Integer> knownValues() {
    if (type == FieldType.BOOLEAN) {
      return Optional.of(2);
    }
    return symbols.isEmpty()
        ? values().map(ValueStatistics::distinct)
        : Optional.of(symbols.size());
  }
}
