package dev.sotto.config.source;

import dev.sotto.config.key.ConfigKeys;
import dev.sotto.config.key.ConfigText;
import dev.sotto.config.key.SecretValues;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.learner.settings.Settings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Settings with their types: each is checked by itself, then whether it applies at all. */
public final class ConfigValues implements Settings {
  private final Map<String, ConfigEntry> given;
  private final ConfigErrors errors;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, Object> settled = new LinkedHashMap<>();

  /**
   * Checks what was given.
   *
   * @param excused settings that need not be given although they are required
   */
  public ConfigValues(
      Map<String, ConfigEntry> given, ConfigErrors errors, Set<ConfigKey<?>> excused) {
    this.given = given;
    this.errors = errors;
    given.forEach(this::parse);
    ConfigKeys.single()
        .filter(key -> !given.containsKey(key.name()) && key.standard() != null)
        .forEach(key -> values.put(key.name(), key.standard()));
    ConfigKeys.single().forEach(key -> place(key, excused.contains(key)));
    Set<String> heads = new LinkedHashSet<>();
    ConfigKeys.families().filter(family -> heads.add(family.head())).forEach(this::family);
  }

  private void parse(String name, ConfigEntry setting) {
    ConfigKey<?> key = ConfigKeys.declared(name);
    if (key == null) {
      errors.add(name, "is not a setting" + NameSuggestion.hint(ConfigKeys.suggestion(name)));
      return;
    }
    if (isToBeStated(setting.value())) {
      errors.add(
          name,
          "is still " + ConfigText.TO_DO + ": state it from public knowledge. " + key.sentence());
      return;
    }
    Object value = check(name, setting.value(), key.domain(), errors);
    if (value != null) {
      values.put(name, value);
    }
  }

  private static boolean isToBeStated(Object value) {
    return value.equals(ConfigText.TO_DO)
        || value instanceof List<?> items && items.contains(ConfigText.TO_DO);
  }

  /** The value of a text or a list of texts, or null after an error. */
  public static <T> T check(String name, Object raw, Domain<T> domain, ConfigErrors errors) {
    if (raw instanceof List && domain.type() != Domain.Type.LIST) {
      errors.add(name, "must be one value, but was a list");
      return null;
    }
    Object parsed;
    try {
      boolean infinite =
          domain.type() == Domain.Type.NUMBER && (raw.equals("inf") || raw.equals(".inf"));
      parsed = ConfigDef.parseType(name, infinite ? "Infinity" : raw, type(domain.type()));
    } catch (ConfigException wrongType) {
      errors.must(name, "be " + domain.type().rule(), raw);
      return null;
    }
    T value = domain.read(parsed);
    if (value == null) {
      errors.add(
          name,
          "must be " + domain.words() + ", but was " + SecretValues.shown(name, raw)
              + domain.hint().apply(String.valueOf(parsed)));
    }
    return value;
  }

  private static ConfigDef.Type type(Domain.Type type) {
    return switch (type) {
      case TEXT -> ConfigDef.Type.STRING;
      case INT -> ConfigDef.Type.INT;
      case LONG -> ConfigDef.Type.LONG;
      case NUMBER -> ConfigDef.Type.DOUBLE;
      case FLAG -> ConfigDef.Type.BOOLEAN;
      case LIST -> ConfigDef.Type.LIST;
    };
  }

  /**
   * Whether a setting is where it belongs: given where it is needed, absent where it means nothing.
   */
  private void place(ConfigKey<?> key, boolean excused) {
    String name = key.name();
    for (Condition<?> condition : key.conditions()) {
      if (!isUsable(condition.on())) {
        if (isLeftOut(condition.on())) {
          values.remove(name);
          if (given.containsKey(name) && !errors.has(name)) {
            errors.add(
                name, "means nothing without " + condition.on() + "; set that, or remove it");
          }
        }
        return;
      }
      if (!holds(condition)) {
        values.remove(name);
        if (given.containsKey(name) && !errors.has(name)) {
          errors.add(
              name,
              "means nothing here: it needs " + condition + ", but " + condition.on() + " is "
                  + plain(condition.on()) + "; remove it, or change " + condition.on());
        }
        return;
      }
    }
    if (key.required() && !excused && !given.containsKey(name) && !errors.has(name)) {
      errors.add(name, "must be given. " + key.sentence());
    }
  }

  private boolean isLeftOut(ConfigKey<?> key) {
    return !key.required() && !given.containsKey(key.name()) && !errors.has(key.name());
  }

  private <C> boolean holds(Condition<C> condition) {
    return condition.holds().test(get(condition.on()));
  }

  private <T> Object plain(ConfigKey<T> key) {
    return key.domain().plain(get(key));
  }

  private void family(ConfigKey<?> family) {
    for (String name : names(family)) {
      siblings(family).forEach(each -> {
        ConfigKey<?> key = each.named(name);
        if (!given.containsKey(key.name()) && key.standard() != null) {
          values.put(key.name(), key.standard());
        }
        place(key, false);
      });
    }
  }

  private static List<ConfigKey<?>> siblings(ConfigKey<?> family) {
    return ConfigKeys.families()
        .filter(each -> each.head().equals(family.head()))
        .toList();
  }

  @Override
  public Set<String> names(ConfigKey<?> family) {
    Set<String> names = new TreeSet<>();
    for (String key : given.keySet()) {
      ConfigKey<?> declared = ConfigKeys.declared(key);
      if (declared != null && declared.isFamily() && declared.head().equals(family.head())) {
        names.add(declared.freePart(key));
      }
    }
    return names;
  }

  @Override
  public boolean isUsable(ConfigKey<?> key) {
    return !errors.has(key.name()) && values.containsKey(key.name());
  }

  @Override
  public boolean isGiven(ConfigKey<?> key) {
    return given.containsKey(key.name());
  }

  @Override
  @SuppressWarnings("unchecked") // a value was made by its key's own domain
  public <T> T get(ConfigKey<T> key) {
    if (!isUsable(key)) {
      throw new InvalidSettingException(key.name());
    }
    return (T) values.get(key.name());
  }

  @Override
  @SuppressWarnings("unchecked") // settled by its key's own type
  public <T> T meaning(ConfigKey<T> key) {
    Object meaning = settled.get(key.name());
    return meaning == null ? Settings.super.meaning(key) : (T) meaning;
  }

  @Override
  public <T> void settle(ConfigKey<T> key, T meaning) {
    settled.put(key.name(), meaning);
  }

  @Override
  public InvalidSettingException reject(String key, String rule) {
    errors.add(key, rule);
    return new InvalidSettingException(key);
  }

  @Override
  public InvalidSettingException rejectValue(ConfigKey<?> key, String rule, Object value) {
    errors.must(key.name(), rule, value);
    return new InvalidSettingException(key.name());
  }

  /**
   * All settings that apply, in the order of the table, with what was given or is their default.
   */
  public EffectiveSettings effective() {
    Map<String, EffectiveSettings.Value> all = new LinkedHashMap<>();
    Set<String> heads = new LinkedHashSet<>();
    for (ConfigKey<?> key : ConfigKeys.all()) {
      if (!key.isFamily()) {
        keep(all, key);
      } else if (heads.add(key.head())) {
        names(key).forEach(name -> siblings(key).forEach(family -> keep(all, family.named(name))));
      }
    }
    return new EffectiveSettings(all);
  }

  private void keep(Map<String, EffectiveSettings.Value> all, ConfigKey<?> key) {
    Object value = values.get(key.name());
    if (value != null) {
      ConfigEntry setting = given.get(key.name());
      Object written = setting == null ? standard(key) : setting.value();
      all.put(key.name(), new EffectiveSettings.Value(value, written, isUsed(key)));
    }
  }

  private static <T> Object standard(ConfigKey<T> key) {
    return key.domain().plain(key.standard());
  }
}
