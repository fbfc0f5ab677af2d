package dev.sotto.serdes.feature;

import com.fasterxml.jackson.core.io.NumberInput;

/**
 * The digits of a number without its sign, read from bytes: {@code 12}, {@code 0.5}, {@code 5.},
 * {@code .5}, {@code 1e3}. The nearest double of them is computed without making a text of them.
 * A buffer, refilled for each number.
 */
public final class DecimalText {
  private static final int EXACT_DIGITS = 18; // of a long
  private static final int MOST_EXPONENT = 1 << 20;
  private static final double[] POWERS = { // exact
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private final byte point;
  private byte[] text;
  private int first;
  private int end;
  private int whole;
  private int fraction;
  private boolean pointed;
  private int exponent;
  private long mantissa; // of all digits, modulo 2^64
  private char[] chars = new char[32];

  /** Numbers with this byte before their fraction. */
  public DecimalText(char point) {
    this.point = (byte) point;
  }

  /**
   * Reads digits as far as they make a number.
   *
   * @param to where the text ends
   * @return the place of the first byte that belongs to the number no more
   */
  public int read(byte[] bytes, int from, int to) {
    text = bytes;
    first = from;
    mantissa = 0;
    int at = digits(from, to);
    whole = at - from;
    pointed = at < to && bytes[at] == point;
    fraction = 0;
    if (pointed) {
      int begin = at + 1;
      at = digits(begin, to);
      fraction = at - begin;
    }
    exponent = 0;
    if (at < to && (bytes[at] | 0x20) == 'e') {
      at = exponent(at, to);
    }
    end = at;
    return at;
  }

  /** Reads on to the end of the digits. */
  private int digits(int from, int to) {
    byte[] bytes = text;
    long sum = mantissa;
    int at = from;
    for (int digit; at < to && (digit = bytes[at] - '0') >= 0 && digit <= 9; at++) {
      sum = 10 * sum + digit;
    }
    mantissa = sum;
    return at;
  }

  /** The exponent; stays before it where it is none. */
  private int exponent(int mark, int to) {
    int at = mark + 1;
    boolean negative = at < to && text[at] == '-';
    at += at < to && (negative || text[at] == '+') ? 1 : 0;
    int begin = at;
    int size = 0;
    for (; at < to && text[at] >= '0' && text[at] <= '9'; at++) {
      size = Math.min(10 * size + text[at] - '0', MOST_EXPONENT);
    }
    exponent = negative ? -size : size;
    return at == begin ? mark : at;
  }

  /** How many digits stand before the point. */
  public int whole() {
    return whole;
  }

  /** How many digits stand after it. */
  public int fraction() {
    return fraction;
  }

  /** Whether there is a point. */
  public boolean isPointed() {
    return pointed;
  }

  /** The digits as an integer, of at most 18. */
  public long mantissa() {
    return mantissa;
  }

  /** The nearest double, as {@link Double#parseDouble} has it. */
  public double value(boolean negative) {
    long sign = negative ? Long.MIN_VALUE : 0; // without a branch: signs are hard to predict
    return Double.longBitsToDouble(Double.doubleToRawLongBits(size()) | sign);
  }

  private double size() {
    int power = exponent - fraction;
    boolean exact = -POWERS.length < power
        && power < POWERS.length
        && (whole + fraction <= EXACT_DIGITS || isShort())
        && mantissa < 1L << 53;
    return exact ? power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power] : slow();
  }

  /** Whether there are few digits without the zeros before them. */
  private boolean isShort() {
    int digits = whole + fraction;
    for (int at = first; at < end && (text[at] == '0' || text[at] == point); at++) {
      digits -= text[at] == '0' ? 1 : 0;
    }
    return digits <= EXACT_DIGITS;
  }

  private double slow() {
    int length = end - first;
    if (chars.length < length) {
      chars = new char[2 * length];
    }
    for (int i = 0; i < length; i++) {
      byte each = text[first + i];
      chars[i] = each == point ? '.' : (char) each;
    }
    return NumberInput.parseDouble(chars, 0, length, true);
  }
}
