package dev.sotto.topology.registry;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.registry.RecordsSetAside;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.registry.SchemaIds;
import java.io.IOException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of the registry that has the schemas of events. */
public final class RegistrySettings {
  /** How the names of these settings begin. */
  public static final String PREFIX = "events.registry.";

  public static final ConfigKey<String> URL = confluent(ConfigKey.of(
          PREFIX + "url",
          Domain.notBlank(),
          "The registry with the schemas of ids. Give this, the file, or both (docs/registry.md)."
              + " With Avro these settings need events.avro.framing confluent.")
      .optional());

  public static final ConfigKey<String> FILE = confluent(ConfigKey.of(
          PREFIX + "file",
          Domain.notBlank(),
          "A file of ids and schemas, one JSON object per line. Alone it replaces the registry."
              + " With an address it keeps its answers, for restarts, `replay` and `verify`;"
              + " default `<state.dir>/<app.id>.schemas.jsonl`.")
      .optional());

  public static final ConfigKey<SchemaIds> IDS = confluent(ConfigKey.of(
          PREFIX + "ids",
          SchemaIds.DOMAIN,
          "What the id before a body is: Confluent's, or Apicurio's `globalId` or `contentId`,"
              + " which its own paths know (docs/registry.md).")
      .orElse(SchemaIds.CONFLUENT));

  private static final RegistryConnection CONNECTION =
      RegistryConnection.of(PREFIX, URL, RegistrySettings::confluent);

  public static final ConfigKey<?> AUTH = CONNECTION.auth();
  public static final ConfigKey<String> SECRET_FILE = CONNECTION.secretFile();
  public static final ConfigKey<String> SECRET_VARIABLE = CONNECTION.secretVariable();
  public static final ConfigKey<String> CERTIFICATES = CONNECTION.certificates();

  /** All of them, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS =
      List.of(URL, FILE, IDS, AUTH, SECRET_FILE, SECRET_VARIABLE, CERTIFICATES);

  /**
   * What was read, once for all of one configuration that say the same: they know the same then.
   */
  public static final class Shared {
    private final Map<List<?>, SchemaRegistry> read = new HashMap<>();

    /** As {@link RegistrySettings#read}. */
    public SchemaRegistry read(
        Settings settings, Map<String, String> environment, Optional<Path> usual) {
      List<?> said = KEYS.stream()
          .map(key -> settings.isGiven(key) ? settings.get(key) : "")
          .toList();
      SchemaRegistry before = read.get(said);
      if (before != null) {
        return before;
      }
      SchemaRegistry made = RegistrySettings.read(settings, environment, usual);
      read.put(said, made);
      return made;
    }
  }

  private RegistrySettings() {}

  private static <T> ConfigKey<T> confluent(ConfigKey<T> key) {
    return key.usedWith(
            Condition.isOneOf(EventKeys.FORMAT, EventKeys.AVRO),
            Condition.isOneOf(EventKeys.AVRO_FRAMING, AvroFraming.CONFLUENT))
        .usedWith(Condition.isOneOf(EventKeys.FORMAT, EventKeys.PROTOBUF, EventKeys.JSON_SCHEMA))
        .onlyWith(EventKeys.FORMAT, EventKeys.AVRO, EventKeys.PROTOBUF, EventKeys.JSON_SCHEMA);
  }

  /**
   * What the ids of records are.
   *
   * @throws RuntimeException that of {@link Settings#reject}, where the address is not of those
   *     that answer for them
   */
  public static SchemaIds ids(Settings settings) {
    SchemaIds ids = settings.get(IDS);
    if (!settings.isGiven(URL)) {
      return ids;
    }
    boolean apicurios = ApicurioPaths.areAt(URI.create(settings.get(URL).strip()));
    if (apicurios == ids.areApicurios()) {
      return ids;
    }
    throw apicurios
        ? settings.reject(
            IDS,
            "must be apicurio-global or apicurio-content where " + URL
                + " is that of Apicurio's own paths, but was " + ids.word()
                + "; by Confluent's paths the address ends with /apis/ccompat/v7")
        : settings.reject(
            URL,
            "must end with /apis/registry/v2 or /apis/registry/v3 where " + IDS + " is "
                + ids.word());
  }

  /** Refuses all of them where records name no schemas by ids. */
  public static void refuse(Settings settings) {
    for (ConfigKey<?> key : KEYS) {
      if (settings.isGiven(key)) {
        throw settings.reject(
            key,
            "means nothing here: it needs " + EventKeys.AVRO_FRAMING
                + " confluent; remove it, or change " + EventKeys.AVRO_FRAMING);
      }
    }
  }

  /**
   * The registry, the file, or both; nothing is asked yet.
   *
   * @param usual keeps a registry's answers where the settings name no file, and beside it the
   *     records without a schema where there is a file alone, which may lie where nothing is
   *     written; empty for none
   */
  public static SchemaRegistry read(
      Settings settings, Map<String, String> environment, Optional<Path> usual) {
    if (!settings.isGiven(URL) && !settings.isGiven(FILE)) {
      throw settings.reject(
          URL, "must be given, or " + FILE + ": events cannot be read without the writer's schema");
    }
    Optional<RegistryClient> client = settings.isGiven(URL)
        ? Optional.of(CONNECTION.client(settings, environment))
        : Optional.empty();
    try {
      Optional<Path> file = settings.find(FILE).map(Path::of).or(() -> usual);
      Optional<Path> aside = (client.isPresent() ? file : usual).map(SchemaRegistry::asideOf);
      SchemaRegistry registry = new SchemaRegistry(
          client, file.map(SchemaIdFile::new), new RecordsSetAside(aside), SchemaRegistry.WAIT);
      if (client.isEmpty() && registry.known().isEmpty()) {
        throw settings.rejectValue(FILE, "name a file with at least one schema");
      }
      return registry;
    } catch (InvalidPathException | IOException unreadable) {
      throw settings.reject(
          FILE,
          "must name a file that can be read, but was "
              + (settings.isGiven(FILE)
                  ? settings.get(FILE)
                  : usual.map(Path::toString).orElse("")));
    } catch (IllegalArgumentException damaged) {
      throw settings.reject(FILE, "must hold one schema per line, but " + damaged.getMessage());
    }
  }
}
