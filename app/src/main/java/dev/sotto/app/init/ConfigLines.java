package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.settings.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lines of a configuration: settings, and comments that are wrapped. */
final class ConfigLines {
  private static final int WIDTH = 100;

  private final List<String> lines = new ArrayList<>();

  /** An empty line. */
  ConfigLines gap() {
    lines.add("");
    return this;
  }

  /** A comment, which must be plain text. */
  ConfigLines comment(String text) {
    return wrapped("#", text);
  }

  /** A comment that stands below another one. */
  ConfigLines item(String text) {
    return wrapped("#  ", text);
  }

  /** A comment below another one, which stays one line. */
  ConfigLines oneLine(String text) {
    lines.add("#   " + text);
    return this;
  }

  private ConfigLines wrapped(String start, String text) {
    StringBuilder line = new StringBuilder(start);
    for (String word : text.split(" ")) {
      if (line.length() > start.length() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(start);
      }
      line.append(' ').append(word);
    }
    lines.add(line.toString());
    return this;
  }

  /** A setting. */
  ConfigLines setting(ConfigKey<?> key, Object value) {
    return setting(key, value, "");
  }

  /** A setting with a comment behind it. */
  ConfigLines setting(ConfigKey<?> key, Object value, String comment) {
    lines.add(key + ": " + ConfigText.value(key.name(), value) + behind(comment));
    return this;
  }

  /** A setting that is still to be stated. */
  ConfigLines toDo(ConfigKey<?> key, String comment) {
    return setting(key, ConfigText.TO_DO, comment);
  }

  /** A setting that is commented out. */
  ConfigLines suggested(ConfigKey<?> key, Object value, String comment) {
    lines.add("# " + key + ": " + ConfigText.value(key.name(), value) + behind(comment));
    return this;
  }

  /** The beginning of a family of settings. */
  ConfigLines family(ConfigKey<?> family) {
    String head = family.head();
    lines.add(head.substring(0, head.length() - 1) + ":");
    return this;
  }

  /**
   * One member of the family above.
   *
   * @param out whether it is commented out
   */
  ConfigLines member(String name, Map<ConfigKey<?>, Object> settings, String comment, boolean out) {
    String inside = settings.entrySet().stream()
        .map(each -> each.getKey().tail().substring(1) + ": " + ConfigText.scalar(each.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
    lines.add((out ? "# " : "  ") + name + ": " + inside + behind(comment));
    return this;
  }

  private static String behind(String comment) {
    return comment.isEmpty() ? "" : " # " + comment;
  }

  /** All lines. */
  String text() {
    return String.join("\n", lines) + "\n";
  }
}
