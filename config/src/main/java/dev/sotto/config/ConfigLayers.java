package dev.sotto.config;

import static dev.sotto.topology.settings.ApplicationKeys.BOOTSTRAP_SERVERS;
import static dev.sotto.topology.settings.ApplicationKeys.MODEL_ID_SOURCE;

import dev.sotto.config.key.ConfigKeys;
import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.key.SecretValues;
import dev.sotto.config.settings.CandidateKeys;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.config.source.CandidateEntries;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.config.source.ConfigErrors;
import dev.sotto.config.source.EnvironmentEntries;
import dev.sotto.config.source.YamlFile;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.training.PlanKeys;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was given, one layer over the other: the file, the environment, flags. */
final class ConfigLayers {
  private final ConfigSource source;
  private final Map<String, ConfigEntry> given = new LinkedHashMap<>();
  private final ConfigErrors errors = new ConfigErrors(given);
  private final Map<String, Map<String, ConfigEntry>> candidates;
  private final Map<String, ConfigEntry> common;
  private ConfigEntry elsewhere; // brokers of another machine, where none are needed here

  /**
   * The layers of a source.
   *
   * @throws ConfigException where the file is none
   */
  ConfigLayers(ConfigSource source) {
    this.source = source;
    read();
    this.candidates = CandidateEntries.take(given, errors);
    this.common = new LinkedHashMap<>(given);
    if (!candidates.isEmpty()) {
      if (!common.containsKey(PlanKeys.EXACT_METRICS.name())) {
        usual(common, PlanKeys.METRICS_SHARE, CandidateKeys.USUAL_METRICS_SHARE);
      }
      if (isOfOneModel(common)) {
        usual(common, GateSettings.ALIAS, CandidateKeys.USUAL_ALIAS);
      }
      given.putAll(common);
      given.putAll(candidates.values().iterator().next()); // what it shares is checked once
    }
  }

  /** Of the configuration; with candidates, of the first of them. */
  Map<String, ConfigEntry> given() {
    return given;
  }

  /** What is wrong with them, and will be. */
  ConfigErrors errors() {
    return errors;
  }

  /** Settings of each candidate alone; empty where there are none. */
  Map<String, Map<String, ConfigEntry>> candidates() {
    return candidates;
  }

  /** Settings of all candidates. */
  Map<String, ConfigEntry> common() {
    return common;
  }

  private void read() {
    YamlFile file = YamlFile.read(source.name(), source.yaml());
    if (!file.isReadable()) { // whatever else is missing was probably there
      throw new ConfigException(source.name(), file.errors());
    }
    given.putAll(file.settings());
    EnvironmentEntries.settings(source.environment())
        .forEach((key, setting) -> given.put(key, listed(key, setting)));
    source.flags().forEach(this::flag);
    given.replaceAll(
        (key, setting) -> key.startsWith(KafkaSettings.PREFIX) ? joined(setting) : setting);
    String servers = BOOTSTRAP_SERVERS.name();
    if (source.brokers().servers() != null) {
      given.put(servers, ConfigEntry.of(source.brokers().servers(), "--bootstrap-server"));
    }
    if (source.brokers().embedded()
        && given.containsKey(servers)
        && !isLocal(given.get(servers).value())) {
      elsewhere = given.remove(servers);
    }
    if (source.run().noiseKey().isPresent()) {
      given.keySet().removeIf(SecretValues::namesASecret);
    }
    file.errors().stream().filter(error -> !isOverridden(error.key())).forEach(errors::add);
  }

  /** Where none are needed here, a published model may still be read from those of elsewhere. */
  Map<String, String> startClients(Map<String, String> clients) {
    Map<String, String> asked = new HashMap<>(clients);
    String servers = BOOTSTRAP_SERVERS.name();
    if (source.brokers().embedded()) {
      asked.remove(servers);
      if (elsewhere != null) {
        asked.put(servers, String.valueOf(joined(elsewhere).value()));
      }
    }
    return asked;
  }

  /** A setting that has another default with candidates. */
  private static void usual(Map<String, ConfigEntry> common, ConfigKey<?> key, String value) {
    common.putIfAbsent(key.name(), ConfigEntry.of(value, "usual with candidates"));
  }

  /** An alias names one model. */
  private static boolean isOfOneModel(Map<String, ConfigEntry> common) {
    ConfigEntry source = common.get(MODEL_ID_SOURCE.name());
    return source == null || source.value().equals("constant");
  }

  /** Whether an embedded broker can listen there: one port of the loopback address. */
  private static boolean isLocal(Object servers) {
    return servers instanceof String one
        && one.strip().matches("(localhost|127\\.0\\.0\\.1):[0-9]{1,5}");
  }

  private void flag(String flag) {
    int at = flag.indexOf('=');
    if (at < 1 || at == flag.length() - 1) {
      String shown = at < 0 ? flag : flag.substring(0, at + 1);
      errors.add(new ConfigError("--set", "must be key=value, but was " + shown));
    } else {
      String key = flag.substring(0, at).strip();
      given.put(key, listed(key, ConfigEntry.of(flag.substring(at + 1).strip(), "--set")));
    }
  }

  /** A list may stand in brackets outside a file too, and then means the same as in one. */
  private ConfigEntry listed(String key, ConfigEntry setting) {
    ConfigKey<?> declared = ConfigKeys.declared(key);
    String text = String.valueOf(setting.value());
    boolean closed = text.endsWith("]") || !text.contains("]"); // unlike an address, [::1]:9092
    if (declared == null
        || declared.domain().type() != Domain.Type.LIST
        || !text.startsWith("[")
        || !closed) {
      return setting;
    }
    ConfigEntry read =
        YamlFile.read(setting.origin(), key + ": " + text).settings().get(key);
    if (read != null && read.value() instanceof List<?>) {
      return new ConfigEntry(read.value(), setting.origin());
    }
    errors.add(
        key,
        "must be a list as it stands in a file, with its brackets and quotes closed, or values"
            + " between commas without brackets");
    return setting;
  }

  /** Whether a setting that stands in the file without a value got one elsewhere. */
  private boolean isOverridden(String key) {
    ConfigEntry winner = given.get(key);
    return winner != null && !winner.origin().startsWith(source.name() + " line ");
  }

  /** Kafka's own lists are texts with commas. */
  private static ConfigEntry joined(ConfigEntry setting) {
    return setting.value() instanceof List<?> items
        ? ConfigEntry.of(
            items.stream().map(String::valueOf).collect(Collectors.joining(",")), setting.origin())
        : setting;
  }
}
