package dev.sotto.app.init;

import dev.sotto.config.key.ConfigKeys;
import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lines of a configuration: settings, and comments that are wrapped. */
final class ConfigLines {
  private static final int WIDTH = 100;

  private final List<String> lines = new ArrayList<>();
  private final Map<String, String> stated; // and not written yet
  private String family = ""; // the beginning of its settings' names

  /**
   * Without lines.
   *
   * @param stated values that somebody has said, by key: they take the place of others
   */
  ConfigLines(Map<String, String> stated) {
    this.stated = new LinkedHashMap<>(stated);
  }

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
    String said = stated.remove(key.name());
    lines.add(
        said == null
            ? key + ": " + ConfigText.value(key.name(), value) + behind(comment)
            : key + ": " + said(key, said));
    return this;
  }

  /** Whether somebody has said the value of a setting that is not written yet. */
  boolean isSaid(ConfigKey<?> key) {
    return stated.containsKey(key.name());
  }

  private static String said(ConfigKey<?> key, String text) {
    boolean list = key != null && key.domain().type() == Domain.Type.LIST;
    if (list && text.startsWith("[") && text.endsWith("]")) { // as it stands in a file
      return text;
    }
    return ConfigText.value(
        key == null ? "" : key.name(), list ? List.of(text.trim().split("\\s*,\\s*")) : text);
  }

  /** Whether somebody has said a setting that has no line yet. */
  boolean isStated(ConfigKey<?> key) {
    return stated.containsKey(key.name());
  }

  /** What was said and has no line yet. */
  ConfigLines rest() {
    if (!stated.isEmpty()) {
      gap().comment("Said beside these:");
      stated.forEach(
          (name, text) -> lines.add(name + ": " + said(ConfigKeys.declared(name), text)));
      stated.clear();
    }
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
    this.family = head;
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
        .map(each -> {
          ConfigKey<?> key = each.getKey();
          String said = out ? null : stated.remove(family + name + key.tail());
          return key.tail().substring(1) + ": "
              + ConfigText.scalar(said == null ? each.getValue() : said);
        })
        .collect(Collectors.joining(", "));
    String more = out ? "" : sayMore(family + name + ".");
    lines.add((out ? "# " : "  ") + name + ": {" + inside + more + "}" + behind(comment));
    return this;
  }

  /** What was said of a member beside its settings. */
  private String sayMore(String start) {
    StringBuilder more = new StringBuilder();
    for (String key : List.copyOf(stated.keySet())) {
      if (key.startsWith(start)) {
        String value = ConfigText.scalar(stated.remove(key));
        more.append(", ").append(key.substring(start.length())).append(": ").append(value);
      }
    }
    return more.toString();
  }

  private static String behind(String comment) {
    return comment.isEmpty() ? "" : " # " + comment;
  }

  /** All lines. */
  String text() {
    return String.join("\n", lines) + "\n";
  }
}
