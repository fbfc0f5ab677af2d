package dev.sotto.topology.registry;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The settings of copies of published topics in a registry's framing (docs/registry.md). */
public final class CopySettings {
  /** How the names of these settings begin. */
  public static final String PREFIX = "published.registry.";

  /** What is done with the schemas of what is published. */
  enum Schemas {
    REGISTER,
    LOOKUP
  }

  public static final ConfigKey<String> URL = ConfigKey.of(
          PREFIX + "url",
          Domain.notBlank(),
          "A registry with Confluent's HTTP interface. Ledger and snapshots are then also"
              + " written to `<app.id>.ledger.registry` and `<app.id>.snapshots.registry`, with the"
              + " five bytes of a registry's id (docs/registry.md).")
      .optional();

  private static final Condition<String> GIVEN = new Condition<>(URL, url -> true, "given");

  public static final ConfigKey<List<String>> TOPICS = ConfigKey.of(
          PREFIX + "topics",
          Domain.lists(
              "a list of ledger, snapshots",
              names -> !names.isEmpty() && names.stream().allMatch(CopySettings::isKind)),
          "Which topics have such a copy. Not set: both.")
      .optional()
      .onlyWith(GIVEN);

  public static final ConfigKey<Schemas> SCHEMAS = ConfigKey.of(
          PREFIX + "schemas",
          Domain.choice(Schemas.values(), each -> each.name().toLowerCase(Locale.ROOT)),
          "Whether their schemas are registered at the start, or only looked up: then a start"
              + " without them is refused.")
      .orElse(Schemas.REGISTER)
      .onlyWith(GIVEN);

  private static final RegistryConnection CONNECTION =
      RegistryConnection.of(PREFIX, URL, CopySettings::given);

  public static final ConfigKey<String> SECRET_FILE = CONNECTION.secretFile();
  public static final ConfigKey<String> SECRET_VARIABLE = CONNECTION.secretVariable();

  /** All of them, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS = List.of(
      URL,
      TOPICS,
      SCHEMAS,
      CONNECTION.auth(),
      SECRET_FILE,
      SECRET_VARIABLE,
      CONNECTION.certificates());

  private CopySettings() {}

  private static <T> ConfigKey<T> given(ConfigKey<T> key) {
    return key.onlyWith(GIVEN);
  }

  private static boolean isKind(String name) {
    return Arrays.stream(RegistryCopies.Kind.values())
        .anyMatch(each -> each.configName().equals(name));
  }

  /** The copies that are asked for; nothing is asked of the registry yet. */
  public static Optional<RegistryCopies> read(Settings settings, Map<String, String> environment) {
    if (!settings.isGiven(URL)) {
      return Optional.empty();
    }
    Set<RegistryCopies.Kind> kinds = settings
        .find(TOPICS)
        .map(names -> names.stream()
            .map(each -> RegistryCopies.Kind.valueOf(each.toUpperCase(Locale.ROOT)))
            .collect(Collectors.toSet()))
        .orElseGet(() -> EnumSet.allOf(RegistryCopies.Kind.class));
    return Optional.of(new RegistryCopies(
        CONNECTION.client(settings, environment),
        kinds,
        settings.get(SCHEMAS) == Schemas.REGISTER));
  }
}
