package dev.sotto.config.source;

import dev.sotto.config.key.SecretValues;
import dev.sotto.learner.settings.ConfigError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is wrong, and remembers which settings cannot be used. */
public final class ConfigErrors {
  private final List<ConfigError> all = new ArrayList<>();
  private final Set<String> keys = new HashSet<>();
  private final Map<String, ConfigEntry> given;

  /** Errors of given settings; messages say where each was given. */
  public ConfigErrors(Map<String, ConfigEntry> given) {
    this.given = given;
  }

  /** "key rule", with where the key was given. */
  public void add(String key, String rule) {
    ConfigEntry setting = given.get(key);
    add(new ConfigError(key, rule + (setting == null ? "" : " (" + setting.origin() + ")")));
  }

  /** "key must rule, but was value", with where the key was given. */
  public void must(String key, String rule, Object value) {
    add(key, "must " + rule + ", but was " + SecretValues.shown(key, value));
  }

  /** An error in its own words. */
  public void add(ConfigError error) {
    all.add(error);
    keys.add(error.key());
  }

  /** Whether a setting has an error. */
  public boolean has(String key) {
    return keys.contains(key);
  }

  /** All errors in the order in which they were found. */
  public List<ConfigError> all() {
    return all;
  }
}
