package dev.sotto.serdes.feature;

import com.fasterxml.jackson.core.io.NumberInput;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads numbers out of texts, the nearest double of each: {@code 25}, {@code -0.5}, {@code +5},
 * {@code 007}, {@code 5.}, {@code .5}, {@code 1e3}, with blanks around, and with commas as
 * configured. {@code NaN} and {@code Infinity}, also in short, are numbers that are not finite.
 */
public final class TextNumber {
  private static final int LONGEST = 400; // as of JSON
  private static final int EXACT_DIGITS = 18; // of a long
  private static final double[] POWERS = { // exact
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private final byte decimal;
  private final byte group;
  private byte[] text;
  private int at;
  private int end;
  private long mantissa;
  private int digits; // of the mantissa, without zeros before
  private double value;

  public TextNumber(NumberComma comma) {
    decimal = (byte) (comma == NumberComma.DECIMAL ? ',' : '.');
    group = (byte)
        (switch (comma) {
          case NONE -> 0;
          case DECIMAL -> '.';
          case THOUSANDS -> ',';
        });
  }

  /** The number that was read last. */
  public double value() {
    return value;
  }

  /** Whether a text is a number. */
  public boolean read(String whole) {
    byte[] utf8 = whole.getBytes(StandardCharsets.UTF_8);
    return read(utf8, 0, utf8.length);
  }

  /** Whether a text in UTF-8 is a number. */
  boolean read(byte[] utf8, int from, int length) {
    text = utf8;
    at = from;
    end = from + length;
    trim();
    if (at == end || end - at > LONGEST) {
      return false;
    }
    boolean negative = text[at] == '-';
    at += negative || text[at] == '+' ? 1 : 0;
    int first = at;
    mantissa = 0;
    digits = 0;
    int whole = wholeDigits();
    if (whole < 0) {
      return false;
    }
    boolean isWhole = at == end;
    int fraction = 0;
    if (at < end && text[at] == decimal) {
      at++;
      fraction = digitsFrom();
    }
    if (whole + fraction == 0) {
      return isNamed(first, negative);
    }
    int exponent = 0;
    if (at < end && (text[at] | 0x20) == 'e') {
      exponent = exponent();
    }
    if (at < end) {
      return false;
    }
    int power = exponent - fraction;
    double size = digits <= EXACT_DIGITS && mantissa < 1L << 53 && Math.abs(power) < POWERS.length
        ? power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power]
        : slow(first);
    value = negative && !(isWhole && size == 0) ? -size : size;
    return true;
  }

  /** Blanks and tabs, and blanks that do not break lines. */
  private void trim() {
    while (at < end && (isBlank(text[at]) || isWide(at))) {
      at += isBlank(text[at]) ? 1 : 2;
    }
    while (at < end && (isBlank(text[end - 1]) || isWide(end - 2))) {
      end -= isBlank(text[end - 1]) ? 1 : 2;
    }
  }

  private static boolean isBlank(byte next) {
    return next == ' ' || next == '\t';
  }

  private boolean isWide(int from) {
    return from >= at
        && from + 2 <= end
        && text[from] == (byte) 0xC2
        && text[from + 1] == (byte) 0xA0;
  }

  /** Reads digits, in groups where there are any; how many, or -1 where groups are not of three. */
  private int wholeDigits() {
    int first = at;
    int read = digitsFrom();
    if (group == 0 || at == end || text[at] != group) {
      return read;
    }
    if (read < 1 || read > 3 || text[first] == '0') {
      return -1;
    }
    while (at < end && text[at] == group) {
      at++;
      if (digitsFrom() != 3) {
        return -1;
      }
      read += 3;
    }
    return read;
  }

  private int digitsFrom() {
    int first = at;
    long sum = mantissa;
    int count = digits;
    for (; at < end && text[at] >= '0' && text[at] <= '9'; at++) {
      if (count < EXACT_DIGITS) {
        sum = 10 * sum + text[at] - '0';
      }
      count += count > 0 || text[at] != '0' ? 1 : 0;
    }
    mantissa = sum;
    digits = count;
    return at - first;
  }

  /** The exponent; stays before it where it is none. */
  private int exponent() {
    int mark = at++;
    boolean negative = at < end && text[at] == '-';
    at += at < end && (negative || text[at] == '+') ? 1 : 0;
    int first = at;
    int size = 0;
    for (; at < end && text[at] >= '0' && text[at] <= '9'; at++) {
      size = Math.min(10 * size + text[at] - '0', 1 << 20);
    }
    at = at == first ? mark : at;
    return negative ? -size : size;
  }

  private double slow(int first) {
    char[] plain = new char[end - first];
    int length = 0;
    for (int i = first; i < end; i++) {
      if (text[i] != group) {
        plain[length++] = text[i] == decimal ? '.' : (char) text[i];
      }
    }
    return NumberInput.parseDouble(plain, 0, length, true);
  }

  private boolean isNamed(int first, boolean negative) {
    int letter = first < end ? text[first] | 0x20 : 0;
    if (letter != 'n' && letter != 'i' || end - first > "infinity".length()) {
      return false;
    }
    String word = new String(text, first, end - first, StandardCharsets.UTF_8);
    switch (word.toLowerCase(Locale.ROOT)) {
      case "nan" -> value = Double.NaN;
      case "inf", "infinity" ->
        value = negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      default -> {
        return false;
      }
    }
    return true;
  }
}
