package dev.sotto.app.config;

import java.util.List;

/**
 * One setting as it was given.
 *
 * @param value a text or a list of texts
 * @param origin where: a file and line, a variable, a flag
 */
record Setting(Object value, String origin) {
  static Setting of(String value, String origin) {
    return new Setting(value, origin);
  }

  static Setting of(List<String> values, String origin) {
    return new Setting(List.copyOf(values), origin);
  }
}
