package dev.sotto.app.init;

import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.feature.TextNumber;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the values of a field are by one meaning of commas in texts. */
final class FieldReading {
  /**
   * Of a public sample: this number of numbers to one other value makes a field of numbers with
   * gaps.
   */
  private static final int MOSTLY = 4;

  /** What programs write where there is no number. */
  private static final Predicate<String> GAP = Pattern.compile(
          "\\s*(#?n/?a|nan|null|nil|none|missing|unknown|[+-]?inf(inity)?|[?.-]*)\\s*",
          Pattern.CASE_INSENSITIVE)
      .asMatchPredicate();

  private final TextNumber reader;
  private final ValueStatistics numbers; // null where values are private
  private final ValueStatistics others; // as well
  private final Map<FieldType, Long> counts = new EnumMap<>(FieldType.class);
  private boolean hasCodes; // numbers with zeros before them

  /** Without values yet. */
  FieldReading(boolean isPublic) {
    this(
        NumberComma.NONE,
        isPublic ? new ValueStatistics() : null,
        isPublic ? new ValueStatistics() : null);
  }

  private FieldReading(NumberComma comma, ValueStatistics numbers, ValueStatistics others) {
    this.reader = new TextNumber(comma);
    this.numbers = numbers;
    this.others = others;
  }

  /** The same values, none of which has a comma, for further ones of another meaning. */
  FieldReading with(NumberComma comma) {
    FieldReading copy = numbers == null
        ? new FieldReading(comma, null, null)
        : new FieldReading(comma, numbers.copy(), others.copy());
    copy.counts.putAll(counts);
    copy.hasCodes = hasCodes;
    return copy;
  }

  void number(double value) {
    counts.merge(FieldType.NUMBER, 1L, Long::sum);
    if (numbers != null) {
      numbers.number(value);
    }
  }

  void text(String value) {
    if (isNumber(value)) {
      number(reader.value());
      return;
    }
    hasCodes |= isPadded(value.strip()) && reader.read(value);
    boolean bool = value.equals("true") || value.equals("false");
    word(value, bool ? FieldType.BOOLEAN : FieldType.TEXT);
  }

  /** A value that is what its type says, whatever its text looks like. */
  void word(String value, FieldType type) {
    counts.merge(type, 1L, Long::sum);
    if (others != null) {
      others.text(value);
    }
  }

  /** A list, of which nothing is looked at. */
  void list() {
    counts.merge(FieldType.UNREADABLE, 1L, Long::sum);
  }

  /** Whether a text is a number, and not one with zeros before it, as codes and months have. */
  boolean isNumber(String text) {
    return reader.read(text) && Double.isFinite(reader.value()) && !isPadded(text.strip());
  }

  private static boolean isPadded(String text) {
    int at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    return text.length() > at + 1
        && text.charAt(at) == '0'
        && Character.isDigit(text.charAt(at + 1));
  }

  /** What the values are together. */
  FieldType type() {
    return isMostlyNumbers()
        ? FieldType.NUMBER
        : counts.keySet().stream().reduce(FieldType.NONE, FieldType::and);
  }

  private boolean isMostlyNumbers() {
    long count = counts.getOrDefault(FieldType.NUMBER, 0L);
    return numbers != null
        && count > 0
        && !hasCodes
        && (count >= MOSTLY * (values() - count)
            || others
                .listed()
                .filter(all -> all.keySet().stream().allMatch(GAP))
                .isPresent());
  }

  /** How many values there are. */
  long values() {
    return counts.values().stream().mapToLong(each -> each).sum();
  }

  /** Whether the values are not of one type. */
  boolean isOfSeveralTypes() {
    return counts.size() > 1;
  }

  /** How many values of each kind there are. */
  String kinds() {
    return counts.entrySet().stream()
        .map(each -> each.getKey().counted(each.getValue()))
        .collect(Collectors.joining(" and "));
  }

  /**
   * The values; empty where they are private, or where there are none.
   *
   * @param numeric whether only the numbers count
   */
  Optional<ValueStatistics> statistics(boolean numeric) {
    if (numbers == null) {
      return Optional.empty();
    }
    ValueStatistics all =
        numeric ? numbers : numbers.count() == 0 ? others : ValueStatistics.of(numbers, others);
    return Optional.of(all).filter(each -> each.count() > 0);
  }
}
