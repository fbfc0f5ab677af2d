package dev.sotto.serdes.feature;

import dev.sotto.learner.example.RecordStatus;
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
 */
public final class FieldValues {
  private static final byte MISSING = 0;
  private static final byte INTEGER = 1;
  private static final byte FRACTION = 2;
  private static final byte BOOLEAN = 3;
  private static final byte TEXT = 4;
  private static final byte OTHER = 5;
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};

  private final boolean[] asText;
  private final byte[] kinds;
  private final double[] numbers;
  private final int[] starts;
  private final int[] lengths;
  private final Utf8Buffer texts = new Utf8Buffer();
  private final Utf8Buffer scratch = new Utf8Buffer();

  public FieldValues(FieldPaths paths) {
    int count = paths.paths().size();
    asText = new boolean[count];
    for (int i = 0; i < count; i++) {
      asText[i] = paths.wantsText(i);
    }
    kinds = new byte[count];
    numbers = new double[count];
    starts = new int[count];
    lengths = new int[count];
  }

  public void clear() {
    Arrays.fill(kinds, MISSING);
    texts.clear();
  }

  /**
   * Forgets the values at these places: their object is given once more, and the last one counts.
   */
  public void forget(int[] places) {
    for (int place : places) {
      kinds[place] = MISSING;
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

  public void fraction(int place, double value) {
    boolean whole = Math.abs(value) < 0x1p53 && value == Math.rint(value);
    number(place, whole ? INTEGER : FRACTION, value);
    if (!asText[place]) {
      return;
    }
    if (whole) {
      texts.putDecimal((long) value);
    } else {
      texts.put('0');
      texts.put('x');
      texts.putHex(Double.doubleToLongBits(value));
    }
    close(place);
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
    if (asText[place]) {
      texts.putUtf8(chars, from, length);
      close(place);
    }
  }

  public void text(int place, byte[] utf8, int length) {
    number(place, TEXT, 0);
    if (asText[place]) {
      texts.put(utf8, 0, length);
      close(place);
    }
  }

  /** An object, a list, or whatever else is neither number nor text. */
  public void other(int place) {
    kinds[place] = OTHER;
  }

  /** {@link RecordStatus#USED} if there is a finite number (or a boolean, where one will do). */
  RecordStatus numberAt(int place, boolean orBoolean) {
    byte kind = kinds[place];
    if (kind == INTEGER || kind == FRACTION || (kind == BOOLEAN && orBoolean)) {
      return Double.isFinite(numbers[place]) ? RecordStatus.USED : RecordStatus.NOT_FINITE;
    }
    return kind == MISSING ? RecordStatus.MISSING_FIELD : RecordStatus.WRONG_TYPE;
  }

  /** {@link RecordStatus#USED} if there is a text, a boolean or a finite number. */
  RecordStatus textAt(int place) {
    return kinds[place] == TEXT ? RecordStatus.USED : numberAt(place, true);
  }

  /**
   * {@link RecordStatus#USED} if there is what names somebody: a text that is not empty, or an
   * integer.
   */
  RecordStatus nameAt(int place) {
    byte kind = kinds[place];
    if (kind == MISSING || (kind == TEXT && lengths[place] == 0)) {
      return RecordStatus.MISSING_FIELD;
    }
    return kind == TEXT || kind == INTEGER ? textAt(place) : RecordStatus.WRONG_TYPE;
  }

  /** Whether a field is as a use needs it, and what is wrong where it is not. */
  RecordStatus at(int place, FieldUse use) {
    return switch (use) {
      case NUMBER -> numberAt(place, false);
      case NUMBER_OR_FLAG -> numberAt(place, true);
      case VALUE -> textAt(place);
      case NAME -> nameAt(place);
    };
  }

  /** What a field is, in words. */
  String words(int place) {
    return switch (kinds[place]) {
      case MISSING -> "missing";
      case INTEGER, FRACTION -> "a number";
      case BOOLEAN -> "true or false";
      case OTHER -> "an object, a list or bytes";
      default -> "a text";
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

  /** A buffer for whoever reads the values. */
  Utf8Buffer scratch() {
    return scratch;
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
