package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parsed values by name; errors as sentences. */
public final class MapSettings implements Settings {
  private final Map<String, Object> values;
  final List<String> errors = new ArrayList<>();

  public MapSettings(Map<String, Object> values) {
    this.values = values;
  }

  /** With one value more, where the map takes it. */
  public MapSettings with(String key, Object value) {
    values.put(key, value);
    return this;
  }

  @Override
  public <T> T get(ConfigKey<T> key) {
    Object parsed = values.get(key.name());
    T value = parsed == null ? key.standard() : key.domain().read(parsed);
    if (value == null) {
      throw reject(
          key.name(),
          parsed == null ? "must be given" : "must be " + key.domain().words());
    }
    return value;
  }

  @Override
  public boolean isGiven(ConfigKey<?> key) {
    return values.containsKey(key.name());
  }

  @Override
  public boolean isUsable(ConfigKey<?> key) {
    return isGiven(key) || key.standard() != null;
  }

  @Override
  public Set<String> names(ConfigKey<?> family) {
    return Set.of();
  }

  @Override
  public InvalidSettingException reject(String key, String rule) {
    errors.add(key + " " + rule);
    return new InvalidSettingException(key);
  }

  @Override
  public InvalidSettingException rejectValue(ConfigKey<?> key, String rule, Object value) {
    return reject(key.name(), "must " + rule + ", but was " + value);
  }
}
