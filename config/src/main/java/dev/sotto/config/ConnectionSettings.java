package dev.sotto.config;

import static dev.sotto.topology.settings.ApplicationKeys.APP_ID;
import static dev.sotto.topology.settings.ApplicationKeys.BOOTSTRAP_SERVERS;

import dev.sotto.config.key.ConfigText;
import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.source.ConfigEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The part of a configuration that says which learner it is of and how its brokers are reached.
 * Whoever only reads what a learner has published needs no more: neither its keys nor the rest of
 * its settings are looked at.
 */
public final class ConnectionSettings {
  private ConnectionSettings() {}

  /**
   * {@code app.id}, {@code bootstrap.servers}, and settings of Kafka's clients by Kafka's own
   * names, so far as they are given.
   *
   * @throws ConfigException where the file is no YAML
   */
  public static Map<String, ConfigEntry> of(ConfigSource source) {
    Map<String, ConfigEntry> found = new LinkedHashMap<>();
    new ConfigLayers(source).given().forEach((key, entry) -> {
      String text = text(entry.value());
      if (!text.equals(ConfigText.TO_DO)) {
        if (key.equals(APP_ID.name()) || key.equals(BOOTSTRAP_SERVERS.name())) {
          found.put(key, ConfigEntry.of(text, entry.origin()));
        } else if (key.startsWith(KafkaSettings.PREFIX)) {
          found.put(
              key.substring(KafkaSettings.PREFIX.length()), ConfigEntry.of(text, entry.origin()));
        }
      }
    });
    return found;
  }

  private static String text(Object value) {
    return value instanceof List<?> items
        ? items.stream().map(each -> String.valueOf(each).strip()).collect(Collectors.joining(","))
        : String.valueOf(value).strip();
  }
}
