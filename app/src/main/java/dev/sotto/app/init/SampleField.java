package dev.sotto.app.init;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A field of a sample: its names and types and, only where the sample is public, its values. */
final class SampleField {
  /** Of a public sample: so many numbers to one other value make a field of numbers with gaps. */
  private static final int MOSTLY = 4;

  /** What programs write where there is no number. */
  private static final Predicate<String> GAP = Pattern.compile(
          "\\s*(#?n/?a|nan|null|nil|none|missing|unknown|[+-]?inf(inity)?|[?.-]*)\\s*",
          Pattern.CASE_INSENSITIVE)
      .asMatchPredicate();

  private final List<String> names;
  private final ValueStatistics numbers; // null where values are private
  private final ValueStatistics others; // as well
  private final Map<FieldType, Long> values = new EnumMap<>(FieldType.class);
  private FieldType stated = FieldType.NONE;
  private String statedWords = "";
  private boolean named;
  private boolean required;
  private List<String> symbols = List.of();
  private long records;
  private long last; // record that had it

  SampleField(List<String> names, boolean isPublic) {
    this.names = List.copyOf(names);
    this.numbers = isPublic ? new ValueStatistics() : null;
    this.others = isPublic ? new ValueStatistics() : null;
  }

  /** The path: the names with dots between. */
  String path() {
    return String.join(".", names);
  }

  /** The names from the outermost to the field's own. */
  List<String> names() {
    return names;
  }

  /** What a schema states, else what the values are. */
  FieldType type() {
    if (stated != FieldType.NONE) {
      return stated;
    }
    return isMostlyNumbers()
        ? FieldType.NUMBER
        : values.keySet().stream().reduce(FieldType.NONE, FieldType::and);
  }

  private boolean isMostlyNumbers() {
    long count = values.getOrDefault(FieldType.NUMBER, 0L);
    return numbers != null
        && count > 0
        && (count >= MOSTLY * (values() - count)
            || others
                .listed()
                .filter(all -> all.keySet().stream().allMatch(GAP))
                .isPresent());
  }

  /** How many values there are. */
  long values() {
    return values.values().stream().mapToLong(each -> each).sum();
  }

  /** What kinds of values it has, in words. */
  String words() {
    if (!statedWords.isEmpty()) {
      return statedWords;
    }
    FieldType type = type();
    return type == FieldType.UNREADABLE && values.size() > 1
        ? "values of several types, some of which no feature can read"
        : type.words();
  }

  /** How many values of each kind there are. */
  String kinds() {
    return values.entrySet().stream()
        .map(each -> each.getKey().counted(each.getValue()))
        .collect(Collectors.joining(" and "));
  }

  /** Whether its values are not of one type. */
  boolean isOfSeveralTypes() {
    return stated == FieldType.NONE && values.size() > 1;
  }

  /** A record has it. */
  void in(long record) {
    records += record == last ? 0 : 1;
    last = record;
  }

  /** Its name is that of a schema, or of a column. */
  void name() {
    named = true;
  }

  /** Adds a type that a schema states. */
  void declare(FieldType type) {
    stated = stated.and(type);
  }

  /** Adds one that no feature can read. */
  void declareUnreadable(String words) {
    declare(FieldType.UNREADABLE);
    statedWords = words;
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
  void symbols(List<String> all) {
    symbols = List.copyOf(all);
  }

  /**
   * Why its name or type may be that of few records; empty where it is that of all.
   *
   * @param all records that could be read
   */
  Optional<String> doubt(long all) {
    if (!named && records < all) {
      return Optional.of("not in all records; is its name public?");
    }
    if (isOfSeveralTypes()) {
      return Optional.of("values of several types; which is it to be?");
    }
    return stated == FieldType.NONE && 2 * values() < all && !values.isEmpty()
        ? Optional.of("few records have a value; is this its type?")
        : Optional.empty();
  }

  void number(double value) {
    values.merge(FieldType.NUMBER, 1L, Long::sum);
    if (numbers != null) {
      numbers.number(value);
    }
  }

  void bool(boolean value) {
    other(FieldType.BOOLEAN, String.valueOf(value));
  }

  void text(String value) {
    other(FieldType.TEXT, value);
  }

  /** A list, of which nothing is looked at. */
  void list() {
    values.merge(FieldType.UNREADABLE, 1L, Long::sum);
  }

  private void other(FieldType type, String value) {
    values.merge(type, 1L, Long::sum);
    if (others != null) {
      others.text(value);
    }
  }

  /** Its values; empty where they are private, or where there are none. */
  Optional<ValueStatistics> statistics() {
    if (numbers == null) {
      return Optional.empty();
    }
    ValueStatistics all = type() == FieldType.NUMBER
        ? numbers
        : numbers.count() == 0 ? others : ValueStatistics.of(numbers, others);
    return Optional.of(all).filter(each -> each.count() > 0);
  }

  /** How many values it can have, where that is public. */
  Optional<Integer> knownValues() {
    if (type() == FieldType.BOOLEAN) {
      return Optional.of(2);
    }
    return symbols.isEmpty()
        ? statistics().map(ValueStatistics::distinct)
        : Optional.of(symbols.size());
  }
}
