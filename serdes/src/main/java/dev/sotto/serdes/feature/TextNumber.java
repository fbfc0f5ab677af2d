package dev.sotto.serdes.feature;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads numbers out of texts, the nearest double of each: {@code 25}, {@code -0.5}, {@code +5},
 * {@code 007}, {@code 5.}, {@code .5}, {@code 1e3}, with blanks around, and with commas as
 * configured. {@code NaN} and {@code Infinity}, also in short, are numbers that are not finite.
 */
public final class TextNumber {
  private static final int LONGEST = 400; // as of JSON
  private static final int GROUP = 3; // digits

  private final byte decimal;
  private final byte group;
  private final DecimalText digits;
  private byte[] text;
  private int at;
  private int end;
  private double value;

  public TextNumber(NumberComma comma) {
    decimal = (byte) (comma == NumberComma.DECIMAL ? ',' : '.');
    group = (byte)
        (switch (comma) {
          case NONE -> 0;
          case DECIMAL -> '.';
          case THOUSANDS -> ',';
        });
    digits = new DecimalText((char) decimal);
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
    if (length > 0 && (text[at] <= ' ' || text[end - 1] <= ' ')) {
      trim();
    }
    if (at == end || end - at > LONGEST) {
      return false;
    }
    boolean negative = text[at] == '-';
    at += negative | text[at] == '+' ? 1 : 0;
    int first = at;
    at = digits.read(text, at, end);
    if (group != 0 && first + digits.whole() < end && text[first + digits.whole()] == group) {
      int groupsEnd = groupsEnd(first);
      return groupsEnd >= 0 && isRead(negative, 0, withoutGroups(first, groupsEnd));
    }
    return isRead(negative, first, end);
  }

  /** Whether digits that were read reach to the end of the text. */
  private boolean isRead(boolean negative, int first, int to) {
    if (digits.whole() + digits.fraction() == 0) {
      return isNamed(first, negative);
    }
    if (at < to) {
      return false;
    }
    take(negative, digits.whole() == to - first);
    return true;
  }

  private void take(boolean negative, boolean isWhole) {
    value = digits.value(negative);
    if (value == 0 && isWhole) {
      value = 0; // without a sign
    }
  }

  /**
   * {@link #read(String)} of the text up to the next quote, where it is a number without a plus
   * sign, blanks and groups.
   *
   * @return the place of that quote, -1 where the text is anything else
   * @throws ArrayIndexOutOfBoundsException where no quote ends it
   */
  int readToQuote(byte[] utf8, int from) {
    boolean negative = utf8[from] == '-';
    int first = negative ? from + 1 : from;
    int to = digits.read(utf8, first, utf8.length);
    int read = digits.whole() + digits.fraction();
    if (utf8[to] != '"' || read == 0 || to - from > LONGEST) {
      return -1;
    }
    take(negative, digits.whole() == to - first);
    return to;
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

  /** Where groups of three digits end; -1 where they are none, or the first begins with 0. */
  private int groupsEnd(int first) {
    int read = digits.whole();
    if (read < 1 || read > GROUP || text[first] == '0') {
      return -1;
    }
    int next = first + read;
    while (next < end && text[next] == group) {
      int begin = ++next;
      while (next < end && text[next] >= '0' && text[next] <= '9') {
        next++;
      }
      if (next - begin != GROUP) {
        return -1;
      }
    }
    return next;
  }

  /** Reads the digits again, from a text without what parts the groups; how long that is. */
  private int withoutGroups(int first, int groupsEnd) {
    byte[] plain = new byte[end - first];
    int length = 0;
    for (int i = first; i < end; i++) {
      if (i >= groupsEnd || text[i] != group) {
        plain[length++] = text[i];
      }
    }
    at = digits.read(plain, 0, length);
    return length;
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
