package dev.sotto.app.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/**
 * Settings from environment variables: {@code SOTTO_} and the key in upper case with underscores. An empty variable
 * counts as absent. Values are never repeated in messages.
 */
final class Environment {
  static final String PREFIX = "SOTTO_";

  /** Variables of the launcher and of tests, and the usual names of those that hold keys. */
  static final Set<String> NO_SETTINGS = Set.of(
      "SOTTO_HOME",
      "SOTTO_SHARED_DATA",
      "SOTTO_LOG_DIR",
      "SOTTO_JVM_OPTS",
      "SOTTO_NO_BUILD",
      "SOTTO_CLASSPATH",
      "SOTTO_NOISE_KEY",
      "SOTTO_ENCRYPTION_KEY");

  private static final String KAFKA = variable(KafkaSettings.PREFIX);

  private Environment() {}

  /** The variable of a key. */
  static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /** The settings in an environment. */
  static Map<String, Setting> settings(Map<String, String> environment) {
    Map<String, String> keys = keys();
    Map<String, Setting> found = new LinkedHashMap<>();
    mine(environment).forEach((variable, value) -> {
      String key = keys.get(variable);
      if (key == null && variable.startsWith(KAFKA) && variable.length() > KAFKA.length()) {
        String rest =
            variable.substring(KAFKA.length()).toLowerCase(Locale.ROOT).replace('_', '.');
        key = KafkaSettings.PREFIX + rest;
      }
      if (key != null) {
        found.put(key, Setting.of(value, "environment variable " + variable));
      }
    });
    return found;
  }

  /**
   * Complains of variables that are no settings.
   *
   * @param keyVariables the variables that hold keys
   */
  static void checkNames(Map<String, String> environment, Set<String> keyVariables, Faults faults) {
    Map<String, String> keys = keys();
    for (String variable : mine(environment).keySet()) {
      if (!keys.containsKey(variable)
          && !variable.startsWith(KAFKA)
          && !NO_SETTINGS.contains(variable)
          && !keyVariables.contains(variable)) {
        faults.elsewhere(
            variable,
            variable + " must be the variable of a setting, but there is no such setting"
                + Nearest.hint(Nearest.of(variable, keys.keySet())) + " (environment)");
      }
    }
  }

  private static Map<String, String> mine(Map<String, String> environment) {
    Map<String, String> mine = new TreeMap<>(environment);
    mine.entrySet()
        .removeIf(
            entry -> !entry.getKey().startsWith(PREFIX) || entry.getValue().isEmpty());
    return mine;
  }

  private static Map<String, String> keys() {
    Map<String, String> keys = new LinkedHashMap<>();
    List<ConfigKey> plain = ConfigKeys.ALL.inOrder().stream()
        .filter(key -> !ConfigKeys.isFamily(key))
        .toList();
    plain.forEach(key -> keys.put(variable(key.name), key.name));
    return keys;
  }
}
