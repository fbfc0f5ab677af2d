package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Hats;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.settings.NumberText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What one record holds at the places of its {@link FieldPaths}; refilled per record. Every value
 * has a text, so that numbers and booleans can be categories:
 *
 * <ul>
 *   <li>text: its UTF-8 bytes; a boolean: {@code true} or {@code false}
 *   <li>an integer: its decimal digits; a whole fraction below 2^53 in magnitude likewise
 *   <li>any other fraction: {@code 0x} and the 16 hexadecimal digits of its IEEE 754 bits
 * </ul>
 *
 * A text may be a number where one is due ({@link TextNumber}), or stand for a missing one ({@link
 * MissingMarks}).
 */
public final class FieldValues {
  private static final byte MISSING = 0;
  private static final byte INTEGER = 1;
  private static final byte FRACTION = 2;
  private static final byte BOOLEAN = 3;
  private static final byte TEXT = 4;
  private static final byte OTHER = 5;
  private static final byte NUMBER_TEXT = 6; // a text that is a number, kept where it is wanted
  private static final byte WORDS = 7; // a text of which is known that it is none
  private static final byte LATER = 8; // a value that is given when the record has ended
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};

  private final boolean[] asText;
  private final TextNumber textNumber;
  private final MissingMarks missing;
  private final int[] ways;
  private final byte[] kinds;
  private final double[] numbers;
  private final int[] starts;
  private final int[] lengths;
  private final Utf8Buffer texts = new Utf8Buffer();
  private final Utf8Buffer scratch = new Utf8Buffer();
  private final Hats.Numbers scaled = new Hats.Numbers();

  public FieldValues(FieldPaths paths) {
    int count = paths.paths().size();
    asText = new boolean[count];
    for (int i = 0; i < count; i++) {
      asText[i] = paths.wantsText(i);
    }
    textNumber = new TextNumber(paths.comma());
    missing = paths.missing();
    ways = new int[count];
    kinds = new byte[count];
    numbers = new double[count];
    starts = new int[count];
    lengths = new int[count];
  }

  /** How many places there are. */
  public int places() {
    return kinds.length;
  }

  public void clear() {
    Arrays.fill(kinds, MISSING);
    Arrays.fill(ways, FieldPaths.UNCLAIMED);
    texts.clear();
  }

  /**
   * Makes room for the value of a field, null included, that a way of {@link FieldPaths} has met;
   * false where another way to it counts. Of several values on one way the last one counts.
   */
  public boolean claim(int place, int way) {
    if (way > ways[place]) {
      return false;
    }
    ways[place] = way;
    kinds[place] = MISSING;
    return true;
  }

  /**
   * Makes room for what a field is where its record does not write it; false where the record has
   * one on this way, or where another way counts.
   */
  public boolean claimUnwritten(int place, int way) {
    return (kinds[place] == MISSING || way < ways[place]) && claim(place, way);
  }

  /**
   * A name has been met on a way; whether the value after it counts at the place of its own that
   * the name has. Then there is room for it.
   */
  public boolean meets(FieldPaths.Node field, int way) {
    if (field.hasChildren()) {
      forget(field, way);
    }
    return field.place() >= 0 && claim(field.place(), way);
  }

  /**
   * Forgets what a field met before on this way holds: it is given once more, and the last one
   * counts, whole.
   */
  private void forget(FieldPaths.Node field, int way) {
    int level = field.level();
    for (int place : field.below()) {
      boolean own = place == field.place() && ways[place] == way;
      if (own || (ways[place] & -level) == (way | level)) {
        kinds[place] = MISSING;
        ways[place] = FieldPaths.UNCLAIMED;
      }
    }
  }

  public void integer(int place, long value) {
    number(place, INTEGER, value);
    if (asText[place]) {
      texts.putDecimal(value);
      close(place);
    }
  }

  /** An integer that may be longer than a long: its decimal digits, and the nearest double. */
  public void integer(int place, char[] digits, int from, int length, double nearest) {
    number(place, INTEGER, nearest);
    if (asText[place]) {
      texts.putUtf8(digits, from, length);
      close(place);
    }
  }

  /** The same, of digits in bytes. */
  public void integer(int place, byte[] digits, int from, int length, double nearest) {
    number(place, INTEGER, nearest);
    if (asText[place]) {
      texts.put(digits, from, length);
      close(place);
    }
  }

  public void fraction(int place, double value) {
    number(place, isWhole(value) ? INTEGER : FRACTION, value);
    if (asText[place]) {
      putText(value, texts);
      close(place);
    }
  }

  private static boolean isWhole(double value) {
    return Math.abs(value) < 0x1p53 && value == Math.rint(value);
  }

  /** Writes the text that a number has as a category. */
  static void putText(double value, Utf8Buffer into) {
    if (isWhole(value)) {
      into.putDecimal((long) value);
    } else {
      into.put('0');
      into.put('x');
      into.putHex(Double.doubleToLongBits(value));
    }
  }

  public void bool(int place, boolean value) {
    number(place, BOOLEAN, value ? 1 : 0);
    if (asText[place]) {
      byte[] word = value ? TRUE : FALSE;
      texts.put(word, 0, word.length);
      close(place);
    }
  }

  public void text(int place, char[] chars, int from, int length) {
    number(place, TEXT, 0);
    texts.putUtf8(chars, from, length);
    close(place);
  }

  public void text(int place, byte[] utf8, int from, int length) {
    number(place, TEXT, 0);
    texts.put(utf8, from, length);
    close(place);
  }

  /**
   * A text that begins at a place, where it is read as a number and is written as one simply.
   *
   * @return the place of the quote that ends it; -1 where it is to be given as {@link #text}
   */
  public int numberText(int place, byte[] utf8, int from) {
    int end = asText[place] ? -1 : textNumber.readToQuote(utf8, from);
    if (end >= 0) {
      number(place, NUMBER_TEXT, textNumber.value());
    }
    return end;
  }

  /** An object, a list, or whatever else is neither number nor text. */
  public void other(int place) {
    kinds[place] = OTHER;
  }

  /**
   * A value whose text is longer than what a record holds of it. It is given at the record's end
   * where {@link #isLater} still says so, so that one that is repeated takes no room each time.
   */
  public void later(int place) {
    kinds[place] = LATER;
  }

  /** Whether a place waits for such a value. */
  public boolean isLater(int place) {
    return kinds[place] == LATER;
  }

  /** Whether a way has given the place a value, also one that is no number or text. */
  public boolean holds(int place, int way) {
    return kinds[place] != MISSING && ways[place] == way;
  }

  /**
   * {@link RecordStatus#USED} if there is a finite number, also one in a text (or a boolean, where
   * one will do). A blank text is missing, and so is what the configured marks say.
   */
  RecordStatus numberAt(int place, boolean orBoolean) {
    byte kind = kinds[place] == TEXT ? readNumber(place) : kinds[place];
    if (kind == INTEGER
        || kind == FRACTION
        || kind == NUMBER_TEXT
        || (kind == BOOLEAN && orBoolean)) {
      return Double.isFinite(numbers[place])
          ? RecordStatus.USED
          : missing.has(numbers[place]) ? RecordStatus.MISSING_FIELD : RecordStatus.NOT_FINITE;
    }
    return kind == MISSING || (kind == WORDS && (isBlank(place) || isMark(place)))
        ? RecordStatus.MISSING_FIELD
        : RecordStatus.WRONG_TYPE;
  }

  private boolean isMark(int place) {
    return missing.has(texts.bytes(), starts[place], lengths[place]);
  }

  private byte readNumber(int place) {
    boolean found = textNumber.read(texts.bytes(), starts[place], lengths[place]);
    kinds[place] = found ? NUMBER_TEXT : WORDS;
    numbers[place] = found ? textNumber.value() : 0;
    return kinds[place];
  }

  private boolean isBlank(int place) {
    for (int i = 0; i < lengths[place]; i++) {
      if (!isBlank(texts.bytes()[starts[place] + i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(byte each) {
    return each == ' ' || each == '\t';
  }

  boolean isText(int place) {
    byte kind = kinds[place];
    return kind == TEXT || kind == NUMBER_TEXT || kind == WORDS;
  }

  boolean isBoolean(int place) {
    return kinds[place] == BOOLEAN;
  }

  /** {@link RecordStatus#USED} if there is a text, a boolean or a finite number. */
  RecordStatus textAt(int place) {
    return isText(place) ? RecordStatus.USED : numberAt(place, true);
  }

  /**
   * {@link RecordStatus#USED} if there is what names somebody: a text that is not empty, or an
   * integer.
   */
  RecordStatus nameAt(int place) {
    byte kind = kinds[place];
    if (kind == MISSING || (isText(place) && lengths[place] == 0)) {
      return RecordStatus.MISSING_FIELD;
    }
    return isText(place) || kind == INTEGER ? textAt(place) : RecordStatus.WRONG_TYPE;
  }

  /** Whether the record has the field at all, be it null. */
  public boolean has(int place) {
    return ways[place] != FieldPaths.UNCLAIMED || kinds[place] != MISSING;
  }

  /** Whether a field is as a use needs it, and what is wrong where it is not. */
  RecordStatus at(int place, FieldUse use) {
    return switch (use) {
      case NUMBER -> numberAt(place, false);
      case NUMBER_OR_FLAG -> labelAt(place, false);
      case NUMBER_OR_WORD -> labelAt(place, true);
      case VALUE -> textAt(place);
      case NAME -> nameAt(place);
    };
  }

  private RecordStatus labelAt(int place, boolean binary) {
    RecordStatus status = numberAt(place, true);
    return status == RecordStatus.WRONG_TYPE && LabelReader.ofWord(word(place), binary) >= 0
        ? RecordStatus.USED
        : status;
  }

  /** What a field is, in words. */
  String words(int place) {
    return switch (kinds[place]) {
      case MISSING -> "missing";
      case INTEGER, FRACTION, NUMBER_TEXT ->
        Double.isFinite(numbers[place])
            ? "a number"
            : missing.has(numbers[place]) ? "missing (NaN)" : "no finite number";
      case BOOLEAN -> "true or false";
      case OTHER -> "an object, a list or bytes";
      case WORDS ->
        isBlank(place) ? "a blank text" : isMark(place) ? "a mark of a missing value" : "a text";
      default -> isBlank(place) ? "a blank text" : "a text";
    };
  }

  double number(int place) {
    return numbers[place];
  }

  /**
   * The buffer that holds the texts, between {@link #start} and {@link #start} + {@link #length}.
   */
  byte[] texts() {
    return texts.bytes();
  }

  int start(int place) {
    return starts[place];
  }

  int length(int place) {
    return lengths[place];
  }

  /** {@link #word(String)} of a text without the blanks around it; 0 where it is none. */
  long word(int place) {
    if (!isText(place)) {
      return 0;
    }
    int from = starts[place];
    int to = from + lengths[place];
    while (from < to && isBlank(texts.bytes()[from])) {
      from++;
    }
    while (from < to && isBlank(texts.bytes()[to - 1])) {
      to--;
    }
    if (to - from > Long.BYTES) {
      return 0;
    }
    long word = 0;
    for (int i = from; i < to; i++) {
      int letter = texts.bytes()[i] | 0x20;
      if (letter < 'a' || letter > 'z') {
        return 0;
      }
      word = word << Byte.SIZE | letter;
    }
    return word;
  }

  /** Up to eight Latin letters as a number, the same for letters of any case; 0 of more. */
  static long word(String letters) {
    return letters.length() > Long.BYTES
        ? 0
        : letters.chars().asLongStream().reduce(0, (word, each) -> word << Byte.SIZE | each | 0x20);
  }

  /** A value for people to read. */
  String textOf(int place) {
    if (kinds[place] == BOOLEAN) {
      return numbers[place] == 1 ? "true" : "false";
    }
    if (kinds[place] == OTHER) {
      return "an object or a list";
    }
    return isText(place)
        ? new String(texts.bytes(), starts[place], lengths[place], StandardCharsets.UTF_8)
        : NumberText.shortest(numbers[place]);
  }

  /** A buffer for whoever reads the values. */
  Utf8Buffer scratch() {
    return scratch;
  }

  /** A buffer for the numbers with bounds of an example. */
  Hats.Numbers numbers() {
    return scaled;
  }

  private void number(int place, byte kind, double value) {
    kinds[place] = kind;
    numbers[place] = value;
    starts[place] = texts.size();
    lengths[place] = 0;
  }

  private void close(int place) {
    lengths[place] = texts.size() - starts[place];
  }
}
