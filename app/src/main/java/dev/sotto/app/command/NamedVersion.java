package dev.sotto.app.command;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A model, and which of its versions: {@code flights@1152}, {@code flights@newest}, or {@code
 * flights} alone for the newest. An id that ends as a version does is written with {@code @newest}.
 *
 * @param model its id
 * @param number of the version; empty for the newest
 * @param named whether a version was named at all
 */
record NamedVersion(String model, OptionalLong number, boolean named) {
  private static final String NEWEST = "newest";
  private static final Pattern FORM = Pattern.compile("(?s)(.+)@(newest|[0-9]+)");

  /**
   * Reads what was typed.
   *
   * @throws IllegalArgumentException where it is neither a model nor a version of one
   */
  static NamedVersion of(String text) {
    Matcher whole = FORM.matcher(text);
    if (!whole.matches()) {
      if (text.isEmpty() || text.startsWith("@") || text.endsWith("@")) {
        throw new IllegalArgumentException("must be a model's id, or MODEL@VERSION with a version's"
            + " number or newest, but was '" + text + "'");
      }
      return new NamedVersion(text, OptionalLong.empty(), false);
    }
    String number = whole.group(2);
    if (number.equals(NEWEST)) {
      return new NamedVersion(whole.group(1), OptionalLong.empty(), true);
    }
    long version = number.length() > 18 ? 0 : Long.parseLong(number);
    if (version < 1) {
      throw new IllegalArgumentException(
          "must have a version of at least 1 and 18 digits, but was '" + text + "'");
    }
    return new NamedVersion(whole.group(1), OptionalLong.of(version), true);
  }

  /** Reads it from an option or a parameter. */
  static final class Converter implements ITypeConverter<NamedVersion> {
    @Override
    public NamedVersion convert(String text) {
      try {
        return of(text);
      } catch (IllegalArgumentException wrong) {
        throw new TypeConversionException(wrong.getMessage());
      }
    }
  }
}
