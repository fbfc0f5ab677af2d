package dev.sotto.config.key;

import dev.sotto.config.settings.CandidateKeys;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.topology.encryption.EncryptionSettings;
import dev.sotto.topology.registry.CopySettings;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.start.StartKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The one table of all settings. Each is declared beside the component that reads it. */
public final class ConfigKeys {
  /**
   * Settings under one heading of the manual.
   *
   * @param title the heading
   */
  public record Group(String title, List<ConfigKey<?>> keys) {}

  private static final List<Group> GROUPS = List.of(
      new Group("Application", ApplicationKeys.APPLICATION),
      new Group("Events", events()),
      new Group("Features", EventKeys.features()),
      new Group("Label, weight and unit", EventKeys.labels()),
      new Group("Learning", learning()),
      new Group("Privacy", joined(PlanKeys.PRIVACY, NoiseKeySettings.KEYS)),
      new Group("Versions", VersionKeys.ALL),
      new Group("Private metrics", PlanKeys.METRICS),
      new Group("Copies for a schema registry", CopySettings.KEYS),
      new Group("Aliases", GateSettings.KEYS),
      new Group("Candidates", CandidateKeys.KEYS),
      new Group("Encryption at rest", EncryptionSettings.KEYS),
      new Group("Warm start", StartKeys.ALL),
      new Group("Running", joined(ApplicationKeys.RUNNING, List.of(KafkaSettings.ANY))),
      new Group("Health and metrics over HTTP", HttpSettings.KEYS));

  private static final List<ConfigKey<?>> ALL =
      GROUPS.stream().<ConfigKey<?>>flatMap(group -> group.keys().stream()).toList();

  private ConfigKeys() {}

  private static List<ConfigKey<?>> events() {
    List<ConfigKey<?>> keys = new ArrayList<>(List.of(ApplicationKeys.EVENTS_TOPIC));
    keys.addAll(EventKeys.EVENTS);
    keys.addAll(RegistrySettings.KEYS);
    keys.add(ApplicationKeys.EVENTS_START);
    keys.addAll(LabelKeys.ALL);
    return keys;
  }

  private static List<ConfigKey<?>> learning() {
    List<ConfigKey<?>> keys = new ArrayList<>(ObjectiveSettings.keys());
    keys.addAll(List.of(Optimizers.ALGORITHM, PlanKeys.BATCH_SIZE, PlanKeys.CLIP_NORM));
    Optimizers.keys().forEach(keys::add);
    keys.add(ApplicationKeys.LAG);
    return keys;
  }

  private static List<ConfigKey<?>> joined(List<ConfigKey<?>> some, List<ConfigKey<?>> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /** The table. */
  public static List<Group> groups() {
    return GROUPS;
  }

  /** All settings in the order of the table. */
  public static List<ConfigKey<?>> all() {
    return ALL;
  }

  /** All settings that stand for themselves. */
  public static Stream<ConfigKey<?>> single() {
    return ALL.stream().filter(key -> !key.isFamily());
  }

  /** All families. */
  public static Stream<ConfigKey<?>> families() {
    return ALL.stream().filter(ConfigKey::isFamily);
  }

  /** The declaration of a setting, be it of a family; null where there is none. */
  public static ConfigKey<?> declared(String name) {
    return Stream.concat(
            single().filter(key -> key.name().equals(name)),
            families().filter(family -> family.freePart(name) != null))
        .findFirst()
        .orElse(null);
  }

  /** The setting that was probably meant by a name that means nothing; null where none is near. */
  public static String suggestion(String name) {
    if (KafkaSettings.isKnown(name)) {
      return KafkaSettings.PREFIX + name;
    }
    List<String> names = new ArrayList<>();
    single().forEach(key -> names.add(key.name()));
    String[] parts = name.split("\\.", -1);
    families().forEach(family -> {
      int before = dots(family.head());
      int after = dots(family.tail());
      if (parts.length > before + after) {
        List<String> free = Arrays.asList(parts).subList(before, parts.length - after);
        names.add(family.named(String.join(".", free)).name());
      }
    });
    return NameSuggestion.of(name, names);
  }

  private static int dots(String text) {
    return (int) text.chars().filter(c -> c == '.').count();
  }
}
