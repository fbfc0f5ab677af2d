package dev.sotto.serdes.feature;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Which values stand for a missing one where a number is due, beside null and a blank text. */
public enum MissingMarks {
  /** None. */
  NONE,
  /**
   * What programs write for a missing value: {@code NA}, {@code N/A}, {@code NaN}, {@code null} and
   * the like in letters of any case, question marks, dashes or dots alone, and a number that is
   * NaN.
   */
  USUAL;

  private static final int LONGEST = 7;
  private static final Set<String> WORDS =
      Set.of("na", "n/a", "#na", "#n/a", "nan", "null", "nil", "none", "missing", "unknown");

  /** The name in the configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a text is one of them, blanks around it left out. */
  public boolean has(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return has(utf8, 0, utf8.length);
  }

  /** Whether a text in UTF-8 is one of them, blanks around it left out. */
  boolean has(byte[] utf8, int from, int length) {
    if (this == NONE) {
      return false;
    }
    int first = from;
    int end = from + length;
    while (first < end && isBlank(utf8[first])) {
      first++;
    }
    while (first < end && isBlank(utf8[end - 1])) {
      end--;
    }
    if (first == end || end - first > LONGEST) {
      return false;
    }
    return isSigns(utf8, first, end)
        || WORDS.contains(
            new String(utf8, first, end - first, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT));
  }

  private static boolean isSigns(byte[] utf8, int from, int to) {
    for (int i = from; i < to; i++) {
      if (utf8[i] != '?' && utf8[i] != '-' && utf8[i] != '.') {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(byte each) {
    return each == ' ' || each == '\t';
  }

  /** Whether a number that is not finite is one of them. */
  boolean has(double number) {
    return this == USUAL && Double.isNaN(number);
  }
}
