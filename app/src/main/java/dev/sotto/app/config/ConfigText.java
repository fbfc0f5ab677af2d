package dev.sotto.app.config;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Settings written as YAML, one dotted key a line. */
final class ConfigText {
  /** What needs no quotes in YAML. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9./_+-][A-Za-z0-9./_+ -]*(:[0-9]+)?");

  private ConfigText() {}

  /** One line a setting, secrets masked. */
  static String yaml(Map<String, Object> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + value(entry.getKey(), entry.getValue()) + "\n")
        .collect(Collectors.joining());
  }

  /** A value as YAML; masked where it is a secret. */
  static String value(String key, Object value) {
    if (Secrets.isSecret(key)) {
      return quoted(Secrets.MASK);
    }
    if (value instanceof List<?> items) {
      return items.stream().map(item -> scalar(item)).collect(Collectors.joining(", ", "[", "]"));
    }
    return scalar(value);
  }

  private static String scalar(Object value) {
    String text = Numbers.text(value);
    boolean word = text.equals("null")
        || text.endsWith(" ")
        || text.startsWith("-") && !text.matches("-[0-9.]+.*");
    return PLAIN.matcher(text).matches() && !word ? text : quoted(text);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars().forEach(c -> {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append((char) c);
      } else if (c < ' ') {
        quoted.append(String.format("\\x%02x", c));
      } else {
        quoted.append((char) c);
      }
    });
    return quoted.append('"').toString();
  }
}
