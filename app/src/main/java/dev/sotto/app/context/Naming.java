package dev.sotto.app.context;

import dev.sotto.config.source.ConfigEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was said of a learner and its brokers, one layer over the other: of each setting, the first
 * layer that has it decides.
 *
 * @param layers settings by name ({@link Context#APP_ID}, and those of Kafka's clients), each with
 *     where it was given
 */
public record Naming(List<Map<String, ConfigEntry>> layers) {
  public Naming {
    layers = List.copyOf(layers);
  }

  /** A setting; empty where nothing says it. */
  public Optional<ConfigEntry> find(String name) {
    return layers.stream()
        .filter(each -> each.containsKey(name))
        .map(each -> each.get(name))
        .findFirst();
  }

  /** All of Kafka's clients that are given. */
  public Map<String, ConfigEntry> clients() {
    Map<String, ConfigEntry> all = new LinkedHashMap<>();
    layers.forEach(layer -> layer.forEach(all::putIfAbsent));
    all.remove(Context.APP_ID);
    return all;
  }

  /** One layer with one origin. */
  public static Map<String, ConfigEntry> layer(String origin, Map<String, String> settings) {
    Map<String, ConfigEntry> layer = new LinkedHashMap<>();
    settings.forEach((name, value) -> layer.put(name, ConfigEntry.of(value, origin)));
    return layer;
  }
}
