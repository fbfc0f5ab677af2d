package dev.sotto.config.key;

import dev.sotto.learner.settings.NumberText;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.ListedClass;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Settings written as YAML, one dotted key per line. */
public final class ConfigText {
  /** What needs no quotes in YAML. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9./_+-][A-Za-z0-9./_+ -]*(:[0-9]+)?");

  /** Stands for a value that somebody has yet to state; no setting can have it. */
  public static final String TO_DO = "TODO";

  private ConfigText() {}

  /** One line per setting, secrets masked. */
  public static String yaml(Map<String, Object> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + value(entry.getKey(), entry.getValue()) + "\n")
        .collect(Collectors.joining());
  }

  /** A value as YAML; masked where it is a secret. */
  public static String value(String key, Object value) {
    if (SecretValues.isSecret(key)) {
      return quoted(SecretValues.MASK);
    }
    if (value instanceof List<?> items) {
      return items.stream()
          .map(item -> item(key, item))
          .collect(Collectors.joining(", ", "[", "]"));
    }
    return item(key, value);
  }

  /** Of classes, a number in quotes is another one than a number without, whatever surrounds it. */
  private static String item(String key, Object value) {
    if (!FeatureKeys.listsClasses(key) || !(value instanceof String text)) {
      return scalar(value);
    }
    if (ListedClass.isQuoted(text)) {
      return quoted(ListedClass.textOf(text));
    }
    return ListedClass.of(text).isNumber() ? text.strip() : scalar(text);
  }

  /** One value as YAML, also within a list or map in brackets. */
  public static String scalar(Object value) {
    String text = NumberText.text(value);
    boolean word = text.equalsIgnoreCase("null")
        || text.endsWith(" ")
        || text.startsWith("-") && !text.matches("-[0-9.]+.*");
    return PLAIN.matcher(text).matches() && !word ? text : quoted(text);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars().forEach(c -> {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append((char) c);
      } else if (!isPrintable(c)) {
        quoted.append(String.format("\\u%04x", c));
      } else {
        quoted.append((char) c);
      }
    });
    return quoted.append('"').toString();
  }

  /** Whether a file may hold it as it is; of surrogates, which come in pairs or broken, none. */
  private static boolean isPrintable(int c) {
    return c >= ' ' && c < 0x7f
        || c >= 0xa0 && c < 0xd800 && c != 0x2028 && c != 0x2029
        || c > 0xdfff && c < 0xfeff;
  }
}
