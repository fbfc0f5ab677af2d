package dev.sotto.topology.settings;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;

/** Chooses the settings of one kind of client among those of an application. */
public final class ClientConfigs {
  /** The beginning of the settings of config providers, which every client resolves by itself. */
  public static final String PROVIDERS = AbstractConfig.CONFIG_PROVIDERS_CONFIG + ".";

  private ClientConfigs() {}

  /**
   * The settings that a client knows, and those of the providers of their values.
   *
   * @param prefixes of names; later ones win
   * @param names that the client knows
   */
  public static Map<String, Object> choose(
      Map<String, ?> clients, List<String> prefixes, Set<String> names) {
    Map<String, Object> chosen = new HashMap<>();
    for (String prefix : prefixes) {
      clients.forEach((key, value) -> {
        String name = key.startsWith(prefix) ? key.substring(prefix.length()) : "";
        if (value != null && (names.contains(name) || isOfProviders(name))) {
          chosen.put(name, value);
        }
      });
    }
    return chosen;
  }

  /** Whether a setting names config providers, or belongs to one. */
  public static boolean isOfProviders(String name) {
    return name.equals(AbstractConfig.CONFIG_PROVIDERS_CONFIG) || name.startsWith(PROVIDERS);
  }
}
