package dev.sotto.serdes.feature;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A class of a list, with what else than its text it may be.
 *
 * @param text in UTF-8
 * @param isBoolean whether it is true or false, in letters of any case
 * @param value the number that it is, 1 or 0 for a boolean; NaN where it is neither
 */
public record ListedClass(byte[] text, boolean isBoolean, double value) {
  /** A class as it stands in a list. */
  public static ListedClass of(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    boolean isTrue = text.equalsIgnoreCase("true");
    if (isTrue || text.equalsIgnoreCase("false")) {
      return new ListedClass(utf8, true, isTrue ? 1 : 0);
    }
    TextNumber number = new TextNumber(NumberComma.NONE);
    boolean found = number.read(text) && Double.isFinite(number.value());
    return new ListedClass(utf8, false, found ? number.value() : Double.NaN);
  }

  public boolean isNumber() {
    return !isBoolean && !Double.isNaN(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ListedClass that && Arrays.equals(text, that.text);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(text);
  }
}
