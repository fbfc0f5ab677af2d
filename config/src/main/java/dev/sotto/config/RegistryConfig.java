package dev.sotto.config;

import dev.sotto.config.key.ConfigKeys;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.config.source.ConfigErrors;
import dev.sotto.config.source.ConfigValues;
import dev.sotto.config.source.EnvironmentEntries;
import dev.sotto.config.source.YamlFile;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.registry.SchemaRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The schema registry of a configuration, for those who need nothing else of it. */
public final class RegistryConfig {
  private RegistryConfig() {}

  /**
   * The registry, the file of ids, or both; nothing is asked yet.
   *
   * @return empty where none of the settings of a registry is given
   * @throws ConfigException with what is wrong with those settings, and with no others
   */
  public static Optional<SchemaRegistry> load(ConfigSource source) {
    YamlFile file = YamlFile.read(source.name(), source.yaml());
    if (!file.isReadable()) {
      throw new ConfigException(source.name(), file.errors());
    }
    Map<String, ConfigEntry> all = new LinkedHashMap<>(file.settings());
    all.putAll(EnvironmentEntries.settings(source.environment()));
    for (String flag : source.flags()) {
      int at = flag.indexOf('=');
      all.put(flag.substring(0, at), ConfigEntry.of(flag.substring(at + 1), "a flag"));
    }
    all.keySet().removeIf(key -> !key.startsWith(RegistrySettings.PREFIX));
    if (all.isEmpty()) {
      return Optional.empty();
    }
    add(all, EventKeys.FORMAT, EventKeys.AVRO);
    add(
        all,
        EventKeys.AVRO_FRAMING,
        String.valueOf(EventKeys.AVRO_FRAMING.domain().plain(AvroFraming.CONFLUENT)));
    ConfigErrors errors = new ConfigErrors(all);
    file.errors().stream()
        .filter(each -> each.key().startsWith(RegistrySettings.PREFIX))
        .forEach(errors::add);
    Set<ConfigKey<?>> excused = ConfigKeys.single().collect(Collectors.toSet());
    ConfigValues settings = new ConfigValues(all, errors, excused);
    Optional<SchemaRegistry> registry = Settings.attempt(
        () -> RegistrySettings.read(settings, source.environment(), Optional.empty()));
    if (!errors.all().isEmpty()) {
      throw new ConfigException(source.name(), errors.all());
    }
    return registry;
  }

  private static void add(Map<String, ConfigEntry> all, ConfigKey<?> key, String value) {
    all.put(key.name(), ConfigEntry.of(value, "ids of a registry"));
  }
}
