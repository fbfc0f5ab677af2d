package dev.sotto.config.source;

import dev.sotto.config.key.ConfigKeys;
import dev.sotto.config.key.KafkaSettings;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.NameSuggestion;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Settings from environment variables: {@code SOTTO_} and the key in upper case with underscores.
 * An empty variable counts as absent. Values are never repeated in messages.
 */
public final class EnvironmentEntries {
  /** What the names of all variables begin with. */
  public static final String PREFIX = "SOTTO_";

  /** Variables of the launcher, commands and tests, and the usual names of those with keys. */
  public static final Set<String> NO_SETTINGS = Set.of(
      "SOTTO_HOME",
      "SOTTO_SHARED_DATA",
      "SOTTO_LIB",
      "SOTTO_COMMAND",
      "SOTTO_LOG",
      "SOTTO_LOG_DIR",
      "SOTTO_JVM_OPTS",
      "SOTTO_NO_BUILD",
      "SOTTO_CLASSPATH",
      "SOTTO_CONTEXT",
      "SOTTO_NOISE_KEY",
      "SOTTO_ENCRYPTION_KEY");

  private static final String KAFKA = variable(KafkaSettings.PREFIX);

  private EnvironmentEntries() {}

  /** The variable of a key. */
  static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /** The settings in an environment. */
  public static Map<String, ConfigEntry> settings(Map<String, String> environment) {
    Map<String, String> keys = keys();
    Map<String, ConfigEntry> found = new LinkedHashMap<>();
    mine(environment).forEach((variable, value) -> {
      String key = keys.get(variable);
      if (key == null && variable.startsWith(KAFKA) && variable.length() > KAFKA.length()) {
        String rest =
            variable.substring(KAFKA.length()).toLowerCase(Locale.ROOT).replace('_', '.');
        key = KafkaSettings.PREFIX + rest;
      }
      if (key != null) {
        found.put(key, ConfigEntry.of(value, "environment variable " + variable));
      }
    });
    return found;
  }

  /**
   * Reports variables that are no settings.
   *
   * @param keyVariables the variables that hold keys
   */
  public static void checkNames(
      Map<String, String> environment, Set<String> keyVariables, ConfigErrors errors) {
    Map<String, String> keys = keys();
    for (String variable : mine(environment).keySet()) {
      if (!keys.containsKey(variable)
          && !variable.startsWith(KAFKA)
          && !NO_SETTINGS.contains(variable)
          && !keyVariables.contains(variable)) {
        errors.add(new ConfigError(
            variable,
            "must be the variable of a setting, but there is no such setting"
                + NameSuggestion.hint(NameSuggestion.of(variable, keys.keySet()))
                + " (environment)"));
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
    ConfigKeys.single().forEach(key -> keys.put(variable(key.name()), key.name()));
    return keys;
  }
}
