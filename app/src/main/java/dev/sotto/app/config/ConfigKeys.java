package dev.sotto.app.config;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * The one table of all settings: name, type, default, rule and a sentence. A key with {@code <name>} in it is a family
 * of keys. A key without a default is required, where it applies at all.
 */
final class ConfigKeys {
  /**
   * A key applies only where another one has certain values.
   *
   * @param words what these are, behind the other key
   */
  record Condition(String on, Predicate<Object> holds, String words) {
    static Condition when(String on, String... values) {
      Set<String> these = Set.of(values);
      return new Condition(
          on, these::contains, String.join(" or ", these.stream().sorted().toList()));
    }

    /** Where it is none of what is built in. */
    static Condition own(Own<?> own) {
      return new Condition(own.key(), value -> !own.builtIn().contains(value), own.words());
    }

    Condition or(Condition other) {
      return new Condition(on, holds.or(other.holds), words + " or " + other.words);
    }

    @Override
    public String toString() {
      return on + " " + words;
    }
  }

  static final String FREE = "<name>";

  /** The table; after what it is made of. */
  static final ConfigKeys ALL = new ConfigKeys();

  private final ConfigDef table = new ConfigDef();
  private final Map<String, List<Condition>> conditions = new LinkedHashMap<>();
  private final Map<String, KeyFamily> families = new LinkedHashMap<>();
  private String group;
  private int place;

  private ConfigKeys() {
    EventKeys.declare(this);
    LearningKeys.declare(this);
    RunningKeys.declare(this);
  }

  void group(String name) {
    group = name;
    place = 0;
  }

  void required(String name, Type type, Rules.Rule rule, String sentence, Condition... when) {
    define(name, type, NO_DEFAULT_VALUE, rule, Importance.HIGH, sentence, when);
  }

  void optional(
      String name, Type type, Object value, Rules.Rule rule, String sentence, Condition... when) {
    define(
        name,
        type,
        value,
        new Rules.Rule(rule.words(), v -> v == null || rule.kept().test(v), rule.hint()),
        Importance.MEDIUM,
        sentence,
        when);
  }

  private void define(
      String name,
      Type type,
      Object value,
      Rules.Rule rule,
      Importance importance,
      String sentence,
      Condition... when) {
    table.define(name, type, value, rule, importance, sentence, group, ++place, Width.MEDIUM, name);
    conditions.put(name, List.of(when));
    if (name.contains(FREE)) {
      families.put(name, KeyFamily.of(name, FREE));
    }
  }

  /** All keys in their order, families with their placeholder. */
  Collection<ConfigKey> inOrder() {
    List<ConfigKey> keys = new ArrayList<>();
    conditions.keySet().forEach(name -> keys.add(table.configKeys().get(name)));
    return keys;
  }

  /** The groups in their order. */
  List<String> groups() {
    return table.groups();
  }

  /** The families by their placeholder. */
  Map<String, KeyFamily> families() {
    return families;
  }

  /** The definition of a key, be it of a family; null where there is none. */
  ConfigKey definition(String key) {
    ConfigKey found = key.contains(FREE) ? null : table.configKeys().get(key);
    if (found == null) {
      for (KeyFamily family : families.values()) {
        if (family.free(key) != null) {
          return table.configKeys().get(family.text());
        }
      }
    }
    return found;
  }

  /** When a defined key applies; all of these must hold. */
  List<Condition> conditions(ConfigKey key) {
    return conditions.get(key.name);
  }

  /** Whether a defined key stands for many. */
  static boolean isFamily(ConfigKey key) {
    return key.name.contains(FREE);
  }
}
