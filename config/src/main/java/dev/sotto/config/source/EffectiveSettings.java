package dev.sotto.config.source;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.settings.ConfigKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Every setting that applies, in the order of the table, secrets included.
 *
 * @param values by name
 */
public record EffectiveSettings(Map<String, Value> values) {
  /** No settings at all. */
  public static final EffectiveSettings NONE = new EffectiveSettings(Map.of());

  /**
   * What a setting has.
   *
   * @param typed of its key's own type
   * @param written as it was given: a text, a number, a truth value or a list of texts
   * @param used whether it means anything beside the others
   */
  public record Value(Object typed, Object written, boolean used) {}

  /** The value of a setting; empty where it does not apply, or has none. */
  @SuppressWarnings("unchecked") // a value was made by its key's own domain
  public <T> Optional<T> find(ConfigKey<T> key) {
    return Optional.ofNullable(values.get(key.name())).map(each -> (T) each.typed());
  }

  /**
   * The value of a setting that always applies and has a default.
   *
   * @throws IllegalArgumentException where it does not
   */
  public <T> T get(ConfigKey<T> key) {
    return find(key).orElseThrow(() -> new IllegalArgumentException(key + " does not apply here"));
  }

  /** The same with another value. */
  public <T> EffectiveSettings with(ConfigKey<T> key, T value) {
    Map<String, Value> all = new LinkedHashMap<>(values);
    all.put(key.name(), new Value(value, key.domain().plain(value), true));
    return new EffectiveSettings(all);
  }

  /** All of them as they were given. */
  public Map<String, Object> written() {
    Map<String, Object> written = new LinkedHashMap<>();
    values.forEach((name, value) -> written.put(name, value.written()));
    return written;
  }

  /** As a configuration file, secrets masked: without those that mean nothing beside the others. */
  public String yaml() {
    Map<String, Object> shown = written();
    shown.keySet().removeIf(name -> !values.get(name).used());
    return ConfigText.yaml(shown);
  }

  /** All of them as texts, secrets masked. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((name, value) -> texts.put(name, ConfigText.value(name, value.written())));
    return texts;
  }
}
