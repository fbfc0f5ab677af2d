package dev.sotto.config.key;

import dev.sotto.config.key.ConfigKeys.Group;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The manual and the commented example file, both printed from the table of settings. */
public final class ConfigManual {
  private static final int WIDTH = 100;

  private ConfigManual() {}

  /** docs/configuration.md. */
  public static String markdown() {
    StringBuilder text = new StringBuilder(INTRODUCTION);
    for (Group group : ConfigKeys.groups()) {
      text.append("\n## ").append(group.title()).append("\n\n");
      String usual = usual(group);
      Map<String, String> families = usual.isEmpty() ? families(group) : Map.of();
      if (!usual.isEmpty()) {
        text.append("Unless a row says otherwise:").append(usual.replace(" Only", " only"));
        text.append("\n\n");
      } else if (!families.isEmpty()) {
        text.append("Unless a row says otherwise:\n\n");
        families.forEach((family, condition) -> text.append("- `")
            .append(family)
            .append("` only with ")
            .append(condition)
            .append(".\n"));
        text.append('\n');
      }
      text.append("| Key | Default | Values | Meaning |\n| --- | --- | --- | --- |\n");
      for (ConfigKey<?> key : group.keys()) {
        text.append("| `").append(key).append("` | ").append(standard(key));
        text.append(" | ").append(values(key.domain()));
        text.append(" | ").append(key.sentence());
        text.append(otherThan(usual, withoutFamily(families, key))).append(" |\n");
      }
    }
    return text.append(KAFKA).append(refused()).toString();
  }

  /** The condition of more than half of a group's keys, or nothing. */
  private static String usual(Group group) {
    Map<String, Long> often = group.keys().stream()
        .collect(Collectors.groupingBy(ConfigManual::only, Collectors.counting()));
    return often.entrySet().stream()
        .filter(
            each -> each.getValue() > 3 && 2 * each.getValue() > group.keys().size())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /**
   * Beginnings of names, each with the first condition of at least four of its keys: where it is
   * that of more than half of them, or where none is without a condition.
   */
  private static Map<String, String> families(Group group) {
    Map<String, String> families = new LinkedHashMap<>();
    if (families(group, 1, families).size() < 2) { // all begin alike: their second words tell
      families(group, 2, families);
    }
    return families;
  }

  /** Puts in the families of names that begin with the same words; returns those by all names. */
  private static Map<String, List<ConfigKey<?>>> families(
      Group group, int words, Map<String, String> families) {
    Map<String, List<ConfigKey<?>>> byFamily = group.keys().stream()
        .filter(key -> family(key, words).endsWith("."))
        .collect(Collectors.groupingBy(
            key -> family(key, words), LinkedHashMap::new, Collectors.toList()));
    byFamily.forEach((family, keys) -> {
      Map<String, Long> often =
          keys.stream().collect(Collectors.groupingBy(ConfigManual::first, Collectors.counting()));
      boolean always = !often.containsKey("");
      often.forEach((condition, times) -> {
        if (!condition.isEmpty() && times > 3 && (always || 2 * times > keys.size())) {
          families.put(family, condition);
        }
      });
    });
    return byFamily;
  }

  /** The first words of a key's name with the dot after them; all of it where it has fewer. */
  private static String family(ConfigKey<?> key, int words) {
    int end = -1;
    for (int i = 0; i < words; i++) {
      int next = key.name().indexOf('.', end + 1);
      if (next < 0) {
        return key.name();
      }
      end = next;
    }
    return key.name().substring(0, end + 1);
  }

  private static String first(ConfigKey<?> key) {
    return key.conditions().isEmpty() ? "" : key.conditions().get(0).toString();
  }

  /** The conditions of a key, but for that of its family. */
  private static String withoutFamily(Map<String, String> families, ConfigKey<?> key) {
    String condition = families.getOrDefault(family(key, 2), families.get(family(key, 1)));
    if (condition == null) {
      return only(key);
    }
    return first(key).equals(condition)
        ? only(key.conditions().subList(1, key.conditions().size()))
        : otherThan(condition, only(key));
  }

  private static String otherThan(String usual, String condition) {
    if (condition.equals(usual)) {
      return "";
    }
    return condition.isEmpty() ? " With any." : condition;
  }

  /** The settings of Kafka that are refused, those of one reason in one row. */
  private static String refused() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    KafkaSettings.REFUSED.forEach((name, reason) ->
        byReason.computeIfAbsent(reason, none -> new ArrayList<>()).add("`" + name + "`"));
    return byReason.entrySet().stream()
        .map(row -> "| " + String.join(", ", row.getValue()) + " | " + row.getKey() + " |\n")
        .collect(Collectors.joining());
  }

  /** A file with every setting, each after a comment; those that are required stand open. */
  public static String yaml() {
    StringBuilder text = new StringBuilder(
        "# Every setting of Sotto. What is commented out has this value anyway.\n");
    for (Group group : ConfigKeys.groups()) {
      text.append("\n# --- ").append(group.title()).append(" ---\n");
      for (ConfigKey<?> key : group.keys()) {
        text.append('\n');
        wrapped(text, key.sentence() + only(key));
        if (!key.domain().words().isEmpty()) {
          wrapped(text, "Values: " + key.domain().words());
        }
        text.append(line(key)).append('\n');
      }
    }
    return text.toString();
  }

  private static String line(ConfigKey<?> key) {
    boolean open = key.required() && key.conditions().isEmpty();
    return (open ? "" : "# ") + key + ":" + (key.standard() == null ? "" : " " + value(key))
        + (open ? " # required" : "");
  }

  /** The type, where the rule does not say it, and the rule. */
  private static String values(Domain<?> domain) {
    String type = domain.type().words();
    String rule = shown(domain.words());
    if (rule.isEmpty()) {
      return type;
    }
    return type.endsWith("number") ? type + ", " + rule : rule;
  }

  /** A rule without what the introduction says of all of its kind. */
  private static String shown(String rule) {
    return rule.replaceFirst("^one of ", "")
        .replace(", not the key itself", "")
        .replaceFirst("^the (path|name) of ", "$1 of ")
        .replaceFirst(" with at least one item, none of them blank$", "")
        .replaceFirst("(^|,? and |, )finite$", "")
        .replaceFirst(", none of them a control character$", "")
        .replaceFirst("^not blank$", "text");
  }

  private static String standard(ConfigKey<?> key) {
    if (key.required()) {
      return "required";
    }
    return key.standard() == null ? "none" : "`" + value(key) + "`";
  }

  private static <T> String value(ConfigKey<T> key) {
    return ConfigText.value(key.name(), key.domain().plain(key.standard()));
  }

  private static String only(ConfigKey<?> key) {
    return only(key.conditions());
  }

  private static String only(List<Condition<?>> conditions) {
    return conditions.isEmpty()
        ? ""
        : " Only with "
            + conditions.stream().map(Condition::toString).collect(Collectors.joining(" and "))
            + ".";
  }

  private static void wrapped(StringBuilder text, String sentence) {
    StringBuilder line = new StringBuilder("#");
    for (String word : sentence.split(" ")) {
      if (line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append('\n');
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    text.append(line).append('\n');
  }

  private static final String INTRODUCTION = """
      # Configuration

      <!-- Printed by `sotto config --markdown`; a test keeps this page equal to the settings. -->

      One YAML file, whose keys are dotted names. Nested maps and dotted keys mean the same:

      ```yaml
      privacy:
        epsilon: 2
      privacy.delta: 1e-6
      ```

      `sotto run -c sotto.yaml --check` reports all errors at once, each with the key, the rule, the
      value and the line. If there are none, it prints the guarantee and all settings in force. An
      unknown key is an error, and so is `TODO`, a value that is still to be stated (docs/init.md).
      What decides the model (features, label, loss, algorithm, steps, privacy) is part of its
      fingerprint: a learner whose model was made with other settings refuses to go on. Settings
      under *Running* may change between two starts.

      What comes later wins: the file, the environment, flags.

      - Environment: `SOTTO_` and the key in upper case with underscores: `SOTTO_PRIVACY_EPSILON`.
        Lists are separated by commas. Keys with a free name (`<name>`) cannot be given so, except
        Kafka's: `SOTTO_KAFKA_SASL_JAAS_CONFIG` is `kafka.sasl.jaas.config`. An empty variable
        counts as absent, an unknown one is an error.
      - Flags: `--set key=value`, any number of times, and `--bootstrap-server host:port`.
        Lists are separated by commas, or stand in brackets: `--set 'label.names=[red, green]'`.

      Paths are relative to the folder in which Sotto is started. `inf` is infinity where a setting
      allows it; all other numbers are finite. Lists are not empty, and texts neither blank nor with
      control characters. Files and variables of secrets are named, never their contents. Features
      stand in the alphabetical order of their names. A required key is required only where it
      applies.
      """;

  private static final String KAFKA = """

      ## What Kafka's settings cannot change

      `kafka.<name>` passes every setting through, to one client with a prefix (`consumer.`,
      `main.consumer.`, `restore.consumer.`, `global.consumer.`, `producer.`, `admin.`, and `topic.`
      for the topics of the state). Values may name variables of config providers, such as
      `${env:PASSWORD}`, with `kafka.config.providers` and the settings below it. These are refused,
      with or without a prefix:

      | Settings | Reason |
      | --- | --- |
      """;
}
