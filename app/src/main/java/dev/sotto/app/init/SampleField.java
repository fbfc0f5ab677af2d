package dev.sotto.app.init;

import dev.sotto.serdes.feature.NumberComma;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A field of a sample: its names and types and, only where the sample is public, its values. */
final class SampleField {
  private static final int FEW = 5; // one value, or record, in as many

  private final List<String> names;
  private final Map<NumberComma, FieldReading> readings = new EnumMap<>(NumberComma.class);
  private NumberComma comma = NumberComma.NONE;
  private int points; // texts with a point that are numbers
  private long needDecimal; // texts that are numbers by this meaning of commas alone
  private long needThousands; // as well
  private long needEither; // texts that are numbers by both, and no numbers without
  private FieldType stated = FieldType.NONE;
  private String statedWords = "";
  private boolean named;
  private boolean required;
  private List<String> symbols = List.of();
  private long records;
  private long last; // record that had it
  private Object first; // of its values; null before
  private boolean isVaried; // not all of them are the first

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

  /** What a schema states, else what the values are. */
  FieldType type() {
    return stated == FieldType.NONE ? reading().type() : stated;
  }

  private FieldReading reading() {
    return readings.getOrDefault(comma, readings.get(NumberComma.NONE));
  }

  /** What kinds of values it has, in words. */
  String words() {
    if (!statedWords.isEmpty()) {
      return statedWords;
    }
    FieldType type = type();
    return type == FieldType.UNREADABLE && reading().isUndecided()
        ? "values of several types, some of which no feature can read"
        : type.words();
  }

  /** How many values of each kind there are. */
  String kinds() {
    return reading().kinds();
  }

  /** How many texts stand for a missing number. */
  long missing() {
    return reading().missing();
  }

  /**
   * What a text may be meant as that is read as a category, in a sentence; empty unless half of the
   * values are so.
   */
  Optional<String> look() {
    long values = reading().values();
    TextLook look = reading().look();
    if (!type().isCategory() || values == 0 || stated != FieldType.NONE) {
      return Optional.empty();
    }
    if (2 * look.numbers() >= values) {
      return Optional.of(String.format(
          Locale.ROOT,
          "has texts that may be meant as numbers in %,d records, as 12%%, $5, 3 kg, 1 234 and (7)"
              + " are, but are read as text. Where they are numbers, write the digits alone",
          look.numbers()));
    }
    return 2 * look.dates() >= values
        ? Optional.of(String.format(
            Locale.ROOT,
            "has dates in %,d records, which are read as text: of a new date nothing is known."
                + " Write what tells of it, as the weekday or hour, into fields of their own",
            look.dates()))
        : Optional.empty();
  }

  /** Whether its values are not of one type. */
  boolean isOfSeveralTypes() {
    return stated == FieldType.NONE && reading().isOfSeveralTypes();
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
    if (!named && records < all - all / FEW) {
      return Optional.of("not in all records; is its name public?");
    }
    if (hasOpenCommas() && !hasFewCommas()) {
      return Optional.of("numbers with commas; what does a comma mean (events.comma)?");
    }
    if (stated == FieldType.NONE && reading().isUndecided()) {
      return Optional.of("values of several types; which is it to be?");
    }
    long values = reading().values();
    return stated == FieldType.NONE && 2 * values < all && values > 0
        ? Optional.of("few records have a value; is this its type?")
        : Optional.empty();
  }

  /** How many records give rise to {@link #doubt}, of all that could be read. */
  String found(long all) {
    if (hasOpenCommas()) {
      String told = String.format(
          Locale.ROOT,
          "a comma parts its fraction in %,d texts, and thousands in %,d",
          needDecimal,
          needThousands);
      return needEither == 0
          ? told
          : told + String.format(Locale.ROOT, "; it may do either in %,d", needEither);
    }
    return isOfSeveralTypes()
        ? kinds()
        : String.format(Locale.ROOT, "in %,d of %,d records", reading().values(), all);
  }

  /** Its name is that of a schema, or of a column. */
  boolean isNamed() {
    return named;
  }

  /** Whether some texts are numbers by a meaning of commas that is not the one they are read by. */
  boolean hasOpenCommas() {
    return needDecimal > 0 && comma != NumberComma.DECIMAL
        || needThousands > 0 && comma != NumberComma.THOUSANDS
        || needEither > 0 && comma == NumberComma.NONE;
  }

  /** Whether few of its values have commas that could mean something: whatever they do mean. */
  private boolean hasFewCommas() {
    return FEW * (needDecimal + needThousands + needEither) <= reading().values();
  }

  private void see(Object value) {
    first = first == null ? value : first;
    isVaried |= !first.equals(value);
  }

  /** Whether there are values, and all are the same: for inside the trust boundary. */
  boolean isConstant() {
    return first != null && !isVaried || statistics().stream().anyMatch(all -> all.distinct() == 1);
  }

  void number(double value) {
    see(value);
    readings.values().forEach(each -> each.number(value));
  }

  void bool(boolean value) {
    see(value);
    readings.values().forEach(each -> each.word(String.valueOf(value), FieldType.BOOLEAN));
  }

  /** A text whose schema says that it is one. */
  void word(String value) {
    see(value);
    readings.values().forEach(each -> each.word(value, FieldType.TEXT));
  }

  /** A text, which may be meant as a number, or as true or false. */
  void text(String value) {
    see(value);
    FieldReading plain = readings.get(NumberComma.NONE);
    points += value.indexOf('.') >= 0 && plain.isNumber(value) ? 1 : 0;
    if (value.indexOf(',') >= 0) {
      boolean decimal = with(NumberComma.DECIMAL).isNumber(value);
      boolean thousands = with(NumberComma.THOUSANDS).isNumber(value);
      needDecimal += decimal && !thousands ? 1 : 0;
      needThousands += thousands && !decimal ? 1 : 0;
      needEither += decimal && thousands ? 1 : 0;
    }
    readings.values().forEach(each -> each.text(value));
  }

  /** A list, of which nothing is looked at. */
  void list() {
    isVaried = true;
    readings.values().forEach(FieldReading::list);
  }

  private FieldReading with(NumberComma meaning) {
    return readings.computeIfAbsent(
        meaning, each -> readings.get(NumberComma.NONE).with(meaning));
  }

  /** Whether at least this number of its texts are numbers by this meaning of commas alone. */
  boolean needs(NumberComma meaning, long least) {
    return readings.containsKey(meaning)
        && readings.get(meaning).type() == FieldType.NUMBER
        && (meaning == NumberComma.DECIMAL
            ? needDecimal >= least && (FEW - 1) * points <= needDecimal
            : needThousands >= least);
  }

  /** Whether its texts are numbers with points, which they are not where commas are decimal. */
  boolean hasPoints() {
    return points > 0 && readings.get(NumberComma.NONE).type() == FieldType.NUMBER;
  }

  /** Reads its texts by one meaning of commas. */
  void settle(NumberComma meaning) {
    comma = meaning;
  }

  /** Its values; empty where they are private, or where there are none. */
  Optional<ValueStatistics> statistics() {
    return reading().statistics(type() == FieldType.NUMBER);
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
