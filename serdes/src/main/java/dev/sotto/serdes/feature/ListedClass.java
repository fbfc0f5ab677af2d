package dev.sotto.serdes.feature;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A class of a list, with what else than its text it may be. An item of a list in double quotes is
 * the text between them and nothing else, where that would be a number, a boolean or such an item.
 *
 * @param text in UTF-8
 * @param isBoolean whether it is true or false, in letters of any case
 * @param value the number that it is, 1 or 0 for a boolean; NaN where it is neither
 */
public record ListedClass(byte[] text, boolean isBoolean, double value) {
  /** A class as it stands in a list. */
  public static ListedClass of(String item) {
    byte[] utf8 = textOf(item).getBytes(StandardCharsets.UTF_8);
    return isQuoted(item) ? new ListedClass(utf8, false, Double.NaN) : read(item, utf8);
  }

  /** The item that is a text and nothing else. */
  public static String itemOf(String text) {
    return isPlain(text) ? text : '"' + text + '"';
  }

  /** The text of an item. */
  public static String textOf(String item) {
    return isQuoted(item) ? item.substring(1, item.length() - 1) : item;
  }

  /** Whether an item is a text that without its quotes would be more than that. */
  public static boolean isQuoted(String item) {
    return item.length() > 2
        && item.startsWith("\"")
        && item.endsWith("\"")
        && !isPlain(item.substring(1, item.length() - 1));
  }

  /** An item for people to read. */
  public static String shown(String item) {
    return (isQuoted(item) ? "the text " : "") + CanonicalText.quoted(textOf(item));
  }

  private static boolean isPlain(String text) {
    ListedClass read = read(text, new byte[0]);
    return !isQuoted(text) && !read.isBoolean && !read.isNumber();
  }

  private static ListedClass read(String text, byte[] utf8) {
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
