package dev.sotto.app.config;

import dev.sotto.app.config.ConfigKeys.Condition;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** The manual and the commented example file, both printed from the table of settings. */
public final class ConfigManual {
  private static final int WIDTH = 100;

  private ConfigManual() {}

  /** docs/configuration.md. */
  public static String markdown() {
    StringBuilder text = new StringBuilder(INTRODUCTION);
    for (String group : ConfigKeys.ALL.groups()) {
      text.append("\n## ").append(group).append("\n\n");
      text.append("| Key | Type | Default | Values | Meaning |\n| --- | --- | --- | --- | --- |\n");
      for (ConfigKey key : keys(group)) {
        text.append("| `").append(key.name).append("` | ").append(type(key));
        text.append(" | ").append(standard(key));
        text.append(" | ").append(rule(key));
        text.append(" | ").append(key.documentation).append(only(key)).append(" |\n");
      }
    }
    text.append(KAFKA);
    KafkaSettings.REFUSED.forEach((name, reason) ->
        text.append("| `").append(name).append("` | ").append(reason).append(" |\n"));
    return text.toString();
  }

  /** A file with every setting, each behind a comment; those that are required stand open. */
  public static String yaml() {
    StringBuilder text = new StringBuilder(
        "# Every setting of Sotto. What is commented out has this value anyway.\n");
    for (String group : ConfigKeys.ALL.groups()) {
      text.append("\n# --- ").append(group).append(" ---\n");
      for (ConfigKey key : keys(group)) {
        text.append('\n');
        wrapped(text, key.documentation + only(key));
        if (!rule(key).isEmpty()) {
          wrapped(text, "Values: " + rule(key));
        }
        text.append(line(key)).append('\n');
      }
    }
    return text.toString();
  }

  private static String line(ConfigKey key) {
    boolean open = !key.hasDefault() && ConfigKeys.ALL.conditions(key).isEmpty();
    Object value = key.hasDefault() ? key.defaultValue : null;
    return (open ? "" : "# ") + key.name + ":"
        + (value == null ? "" : " " + ConfigText.value(key.name, value))
        + (open ? " # required" : "");
  }

  private static Collection<ConfigKey> keys(String group) {
    return ConfigKeys.ALL.inOrder().stream()
        .filter(key -> key.group.equals(group))
        .toList();
  }

  private static String type(ConfigKey key) {
    return switch (key.type) {
      case INT, LONG, SHORT -> "whole number";
      case DOUBLE -> "number";
      case LIST -> "list";
      case BOOLEAN -> "true or false";
      default -> "text";
    };
  }

  private static String standard(ConfigKey key) {
    if (!key.hasDefault()) {
      return "required";
    }
    return key.defaultValue == null
        ? "none"
        : "`" + ConfigText.value(key.name, key.defaultValue) + "`";
  }

  private static String rule(ConfigKey key) {
    return key.validator == null ? "" : key.validator.toString();
  }

  private static String only(ConfigKey key) {
    List<Condition> conditions = ConfigKeys.ALL.conditions(key);
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

      <!-- Printed by `sotto config --markdown`; a test keeps this page and the table of settings equal. -->

      One YAML file, whose keys are dotted names. Nested maps and dotted keys mean the same:

      ```yaml
      privacy:
        epsilon: 2
      privacy.delta: 1e-6
      ```

      `sotto run -c sotto.yaml --check` tells every fault at once, each with the key, the rule, the value and the line,
      and otherwise prints all settings in force and what the guarantee is. Nothing is started before everything is
      right. An unknown key is a fault.

      What comes later wins: the file, the environment, flags.

      - Environment: `SOTTO_` and the key in upper case with underscores: `SOTTO_PRIVACY_EPSILON`. Lists are separated by
        commas. Keys with a free name (`<name>`) cannot be given so, but for Kafka's: `SOTTO_KAFKA_SASL_JAAS_CONFIG` is
        `kafka.sasl.jaas.config`. An empty variable counts as absent, an unknown one is a fault.
      - Flags: `--set key=value`, any number of times, and `--bootstrap-server host:port`.

      Paths are relative to the folder in which Sotto is started. Scalars are taken as they are written; `inf` is
      infinity where a setting allows it. Features are laid out in the alphabetical order of their names, so that the
      order of a file means nothing.

      What decides the model (features, label, loss, algorithm, steps, privacy) is part of its fingerprint: a learner that
      finds its model made by other settings refuses to go on. Settings under *Running* may change between two starts. A
      required key is required only where it applies.
      """;

  private static final String KAFKA = """

      ## What Kafka's settings cannot change

      `kafka.<name>` passes every setting through, to one client with a prefix (`consumer.`, `main.consumer.`,
      `restore.consumer.`, `global.consumer.`, `producer.`, `admin.`, and `topic.` for the topics of the state). These
      are refused, with or without a prefix:

      | Setting | Reason |
      | --- | --- |
      """;
}
