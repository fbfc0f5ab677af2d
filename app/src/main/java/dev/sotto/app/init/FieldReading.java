package dev.sotto.app.init;

import dev.sotto.serdes.feature.MissingMarks;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.feature.TextNumber;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the values of a field are by one meaning of commas in texts. */
final class FieldReading {
  /**
   * This number of values of one type to one other value makes a field of that type: of a public
   * sample of numbers with gaps, of a private one of any type, so that few records change nothing.
   */
  private static final int MOSTLY = 4;

  private static final Predicate<String> INFINITE =
      Pattern.compile("\\s*[+-]?inf(inity)?\\s*", Pattern.CASE_INSENSITIVE).asMatchPredicate();

  private final TextNumber reader;
  private final ValueStatistics numbers; // null where values are private
  private final ValueStatistics others; // as well
  private final TextLook look = new TextLook();
  private final Map<FieldType, Long> counts = new EnumMap<>(FieldType.class);
  private boolean hasCodes; // numbers with zeros before them
  private long missing; // texts that are missing among numbers, and values elsewhere

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
    copy.look.addAll(look);
    copy.hasCodes = hasCodes;
    copy.missing = missing;
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
    if (isMissing(value)) {
      missing++;
      if (others != null) {
        others.text(value);
      }
      return;
    }
    boolean number = reader.read(value);
    hasCodes |= number && isPadded(value.strip());
    if (!number) {
      look.add(value);
    }
    boolean bool = value.equals("true") || value.equals("false");
    word(value, bool ? FieldType.BOOLEAN : FieldType.TEXT);
  }

  /** As where events are read: among numbers. */
  private static boolean isMissing(String value) {
    return value.chars().allMatch(each -> each == ' ' || each == '\t')
        || MissingMarks.USUAL.has(value);
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
    return mostly()
        .orElseGet(() -> kindsOfValues().keySet().stream().reduce(FieldType.NONE, FieldType::and));
  }

  /** The type that stands whatever few records hold; empty where none does. */
  private Optional<FieldType> mostly() {
    if (isMostlyNumbers()) {
      return Optional.of(FieldType.NUMBER);
    }
    return numbers != null
        ? Optional.empty()
        : kindsOfValues().entrySet().stream()
            .filter(each -> each.getValue() >= MOSTLY * (values() - each.getValue()))
            .map(Map.Entry::getKey)
            .findFirst();
  }

  /** How many values there are of each type: marks of missing ones are none among numbers. */
  private Map<FieldType, Long> kindsOfValues() {
    boolean onlyNumbers = counts.keySet().equals(Set.of(FieldType.NUMBER));
    if (missing == 0 || onlyNumbers || isMostlyNumbers()) {
      return counts;
    }
    Map<FieldType, Long> all = new EnumMap<>(counts);
    all.merge(FieldType.TEXT, missing, Long::sum);
    return all;
  }

  private boolean isMostlyNumbers() {
    long count = counts.getOrDefault(FieldType.NUMBER, 0L);
    boolean mostly = count > 0 && count >= MOSTLY * (counted() - count);
    if (numbers == null) {
      return mostly;
    }
    return count > 0
        && !hasCodes
        && (mostly
            || others
                .listed()
                .filter(all ->
                    all.keySet().stream().allMatch(each -> isMissing(each) || INFINITE.test(each)))
                .isPresent());
  }

  /** What its texts look like. */
  TextLook look() {
    return look;
  }

  private long counted() {
    return counts.values().stream().mapToLong(each -> each).sum();
  }

  /** How many texts stand for a missing number; 0 of a field that has no numbers. */
  long missing() {
    return type() == FieldType.NUMBER ? missing : 0;
  }

  /** How many values there are. */
  long values() {
    return kindsOfValues().values().stream().mapToLong(each -> each).sum();
  }

  /** Whether the values are not of one type. */
  boolean isOfSeveralTypes() {
    return kindsOfValues().size() > 1;
  }

  /** Whether they are not of one type, and none stands for all of them. */
  boolean isUndecided() {
    return isOfSeveralTypes() && mostly().isEmpty();
  }

  /** How many values of each kind there are. */
  String kinds() {
    return kindsOfValues().entrySet().stream()
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
