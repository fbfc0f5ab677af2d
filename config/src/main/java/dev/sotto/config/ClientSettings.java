package dev.sotto.config;

import static dev.sotto.topology.settings.ApplicationKeys.BOOTSTRAP_SERVERS;
import static dev.sotto.topology.settings.ApplicationKeys.LAYOUT;
import static dev.sotto.topology.settings.ApplicationKeys.TRANSACTION_TIMEOUT;

import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.config.source.ConfigErrors;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.topology.fetch.RecordLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;

/** The settings of Kafka's clients: what is passed through, checked by Kafka's own definitions. */
final class ClientSettings {
  private static final String COMMIT_INTERVAL =
      KafkaSettings.PREFIX + StreamsConfig.COMMIT_INTERVAL_MS_CONFIG;
  private static final String TASK_IDLE =
      KafkaSettings.PREFIX + StreamsConfig.MAX_TASK_IDLE_MS_CONFIG;
  private static final long DEFAULT_COMMIT_INTERVAL = 100;

  private final Settings settings;
  private final Map<String, ConfigEntry> given;
  private final ConfigErrors errors;
  private final List<String> warnings;

  ClientSettings(
      Settings settings,
      Map<String, ConfigEntry> given,
      ConfigErrors errors,
      List<String> warnings) {
    this.settings = settings;
    this.given = given;
    this.errors = errors;
    this.warnings = warnings;
  }

  /** All of them by Kafka's names; errors are recorded. */
  Map<String, String> read() {
    Map<String, String> clients = new HashMap<>();
    settings.names(KafkaSettings.ANY).forEach(name -> {
      ConfigEntry setting = given.get(KafkaSettings.PREFIX + name);
      check(KafkaSettings.PREFIX + name, name, setting);
      clients.put(name, (String) setting.value());
    });
    if (settings.isUsable(BOOTSTRAP_SERVERS)) {
      clients.put(BOOTSTRAP_SERVERS.name(), String.join(",", settings.get(BOOTSTRAP_SERVERS)));
    }
    if (settings.isUsable(EventKeys.MAX_BYTES)
        && settings.get(EventKeys.MAX_BYTES) > RecordLimits.USUAL) {
      clients.put(RecordLimits.LONGEST_VALUE, Integer.toString(settings.get(EventKeys.MAX_BYTES)));
    }
    checkBarrier();
    checkTransactions();
    return clients;
  }

  private void check(String key, String name, ConfigEntry setting) {
    String reason = KafkaSettings.reason(name);
    if (reason != null) {
      errors.add(key, "cannot be set: " + reason + "; remove it");
      return;
    }
    ConfigKey known = KafkaSettings.definition(name);
    if (isResolvedLater(setting)) {
      return;
    }
    if (known != null && !errors.has(key)) {
      Object value = value(key, (String) setting.value(), known);
      String rule = value instanceof Number number ? KafkaSettings.tooSmall(name, number) : null;
      if (rule != null) {
        errors.must(key, rule, setting.value());
      }
    } else if (!KafkaSettings.isKnown(name)) {
      String near = NameSuggestion.of(KafkaSettings.bare(name), KafkaSettings.names());
      warnings.add(key + " is no setting of Kafka's clients or Streams, and is passed on as it is"
          + NameSuggestion.hint(near) + " (" + setting.origin() + ")");
    }
  }

  /**
   * Whether a value names a variable of a config provider, which the clients themselves resolve.
   */
  private boolean isResolvedLater(ConfigEntry setting) {
    return given.containsKey(KafkaSettings.PREFIX + AbstractConfig.CONFIG_PROVIDERS_CONFIG)
        && String.valueOf(setting.value()).matches("(?s).*\\$\\{[^:}]+:.*}.*");
  }

  private Object value(String key, String text, ConfigKey known) {
    Object value;
    try {
      value = ConfigDef.parseType(key, text, known.type);
    } catch (ConfigException wrongType) {
      errors.must(key, "be " + words(known.type), text);
      return null;
    }
    try {
      if (known.validator != null) {
        known.validator.ensureValid(key, value);
      }
    } catch (ConfigException broken) {
      errors.add(key, "is refused by Kafka: " + broken.getMessage()); // Kafka hides passwords
    }
    return value;
  }

  private static String words(ConfigDef.Type type) {
    return switch (type) {
      case BOOLEAN -> "true or false";
      case INT, LONG, SHORT -> "a whole number";
      case DOUBLE -> "a number";
      case LIST -> "a list";
      case CLASS -> "a class on the class path";
      default -> "a text";
    };
  }

  /** Between rounds a worker waits for as long as it takes. */
  private void checkBarrier() {
    if (settings.isUsable(LAYOUT)
        && settings.get(LAYOUT).sumsParts()
        && given.containsKey(TASK_IDLE)) {
      errors.add(
          TASK_IDLE,
          "cannot be set with layout " + settings.get(LAYOUT).configName()
              + ", whose rounds rest on workers that wait; remove it");
    }
  }

  private void checkTransactions() {
    ConfigEntry interval = given.get(COMMIT_INTERVAL);
    if (!settings.isUsable(TRANSACTION_TIMEOUT)
        || interval != null && (errors.has(COMMIT_INTERVAL) || isResolvedLater(interval))) {
      return;
    }
    long commit = interval == null
        ? DEFAULT_COMMIT_INTERVAL
        : Long.parseLong(((String) interval.value()).strip());
    if (!(settings.get(TRANSACTION_TIMEOUT) > commit)) {
      settings.rejectValue(TRANSACTION_TIMEOUT, "exceed the commit interval of " + commit + " ms");
    }
  }
}
