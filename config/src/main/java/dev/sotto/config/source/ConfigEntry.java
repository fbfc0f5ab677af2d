package dev.sotto.config.source;

import java.util.List;

/**
 * One setting as it was given.
 *
 * @param value a text or a list of texts
 * @param origin where: a file and line, a variable, a flag
 */
public record ConfigEntry(Object value, String origin) {
  /** One text. */
  public static ConfigEntry of(String value, String origin) {
    return new ConfigEntry(value, origin);
  }

  /** A list of texts. */
  public static ConfigEntry of(List<String> values, String origin) {
    return new ConfigEntry(List.copyOf(values), origin);
  }
}
