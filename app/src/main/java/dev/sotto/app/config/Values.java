package dev.sotto.app.config;

import dev.sotto.app.config.ConfigKeys.Condition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** Settings with their types: each checked by itself, then whether it applies at all. */
final class Values {
  private final Map<String, Setting> given;
  private final Faults faults;
  private final Map<String, Object> parsed = new LinkedHashMap<>();

  Values(Map<String, Setting> given, Faults faults, Set<String> excused) {
    this.given = given;
    this.faults = faults;
    given.forEach(this::parse);
    for (ConfigKey key : ConfigKeys.ALL.inOrder()) {
      if (!ConfigKeys.isFamily(key)
          && !given.containsKey(key.name)
          && key.hasDefault()
          && key.defaultValue != null) {
        parsed.put(key.name, key.defaultValue);
      }
    }
    for (ConfigKey key : ConfigKeys.ALL.inOrder()) {
      if (!ConfigKeys.isFamily(key)) {
        place(key.name, key, excused);
      }
    }
    families();
  }

  private void parse(String key, Setting setting) {
    ConfigKey definition = ConfigKeys.ALL.definition(key);
    if (definition == null) {
      faults.add(key, "is not a setting" + Nearest.hint(Nearest.key(key)));
    } else {
      Object value = check(key, setting.value(), definition, faults);
      if (value != null) {
        parsed.put(key, value);
      }
    }
  }

  /** The value by its definition, or null after a fault. */
  static Object check(String key, Object raw, ConfigKey definition, Faults faults) {
    if (raw instanceof List && definition.type != Type.LIST) {
      faults.add(key, "must be one value, but was a list");
      return null;
    }
    Object value;
    try {
      value = ConfigDef.parseType(key, spelled(raw, definition.type), definition.type);
    } catch (ConfigException wrongType) {
      faults.must(key, "be " + words(definition.type), raw);
      return null;
    }
    try {
      if (definition.validator != null) {
        definition.validator.ensureValid(key, value);
      }
      return value;
    } catch (ConfigException broken) {
      if (definition.validator instanceof Rules.Rule ours) {
        faults.add(
            key,
            "must be " + ours.words() + ", but was " + Secrets.shown(key, raw)
                + ours.hint().apply(value));
      } else {
        faults.add(
            key, "is refused by Kafka: " + broken.getMessage()); // Kafka hides passwords itself
      }
      return null;
    }
  }

  private static Object spelled(Object raw, Type type) {
    boolean infinite = type == Type.DOUBLE && (raw.equals("inf") || raw.equals(".inf"));
    return infinite ? "Infinity" : raw;
  }

  private static String words(Type type) {
    return switch (type) {
      case BOOLEAN -> "true or false";
      case INT, LONG, SHORT -> "a whole number";
      case DOUBLE -> "a number";
      case LIST -> "a list";
      case CLASS -> "a class on the class path";
      default -> "a text";
    };
  }

  /** Whether a key is where it belongs: given where it is needed, absent where it means nothing. */
  private void place(String key, ConfigKey definition, Set<String> excused) {
    for (Condition condition : ConfigKeys.ALL.conditions(definition)) {
      if (faults.touch(condition.on()) || !parsed.containsKey(condition.on())) {
        return;
      }
      if (!condition.holds().test(parsed.get(condition.on()))) {
        parsed.remove(key);
        if (given.containsKey(key) && !faults.touch(key)) {
          faults.add(
              key,
              "means nothing here: it needs " + condition + ", but " + condition.on() + " is "
                  + parsed.get(condition.on()) + "; remove it, or change " + condition.on());
        }
        return;
      }
    }
    if (!definition.hasDefault()
        && !given.containsKey(key)
        && !excused.contains(key)
        && !faults.touch(key)) {
      faults.add(key, "must be given. " + definition.documentation);
    }
  }

  private void families() {
    Set<String> heads = new LinkedHashSet<>();
    ConfigKeys.ALL.families().values().forEach(family -> heads.add(family.head()));
    for (String head : heads) {
      for (String name : names(head)) {
        ConfigKeys.ALL.families().values().stream()
            .filter(family -> family.head().equals(head))
            .forEach(family -> {
              ConfigKey definition = ConfigKeys.ALL.definition(family.key(name));
              if (!given.containsKey(family.key(name)) && definition.hasDefault()) {
                parsed.put(family.key(name), definition.defaultValue);
              }
              place(family.key(name), definition, Set.of());
            });
      }
    }
  }

  /** The free names of the families with a head, in alphabetical order. */
  Set<String> names(String head) {
    Set<String> names = new TreeSet<>();
    for (String key : given.keySet()) {
      for (KeyFamily family : ConfigKeys.ALL.families().values()) {
        String name = family.head().equals(head) ? family.free(key) : null;
        if (name != null && ConfigKeys.ALL.definition(key).name.equals(family.text())) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** Whether all these keys have values that can be used. */
  boolean sound(String... keys) {
    for (String key : keys) {
      if (faults.touch(key) || !parsed.containsKey(key)) {
        return false;
      }
    }
    return true;
  }

  boolean given(String key) {
    return given.containsKey(key);
  }

  /** Whether a key has a value that can be used, its default included. */
  boolean has(String key) {
    return sound(key);
  }

  String text(String key) {
    return (String) parsed.get(key);
  }

  double number(String key) {
    return ((Number) parsed.get(key)).doubleValue();
  }

  long whole(String key) {
    return ((Number) parsed.get(key)).longValue();
  }

  boolean flag(String key) {
    return (Boolean) parsed.get(key);
  }

  List<String> list(String key) {
    List<String> items = new ArrayList<>();
    ((List<?>) parsed.get(key)).forEach(item -> items.add(String.valueOf(item)));
    return items;
  }

  /** All settings that apply, with the values that they have, in the order of the table; families by their names. */
  Map<String, Object> effective() {
    Map<String, Object> all = new LinkedHashMap<>();
    for (ConfigKey key : ConfigKeys.ALL.inOrder()) {
      KeyFamily family = ConfigKeys.ALL.families().get(key.name);
      if (family == null) {
        keep(all, key.name);
      } else {
        for (String name : names(family.head())) {
          ConfigKeys.ALL.families().values().stream()
              .filter(each -> each.head().equals(family.head()))
              .forEach(each -> keep(all, each.key(name)));
        }
      }
    }
    return all;
  }

  private void keep(Map<String, Object> all, String key) {
    Object value = parsed.get(key);
    if (value != null) {
      all.put(key, given.containsKey(key) ? given.get(key).value() : value);
    }
  }
}
