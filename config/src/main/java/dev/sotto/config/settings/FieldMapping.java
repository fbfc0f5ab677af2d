package dev.sotto.config.settings;

import static dev.sotto.serdes.event.EventKeys.AVRO_FRAMING;
import static dev.sotto.serdes.event.EventKeys.AVRO_SCHEMAS;
import static dev.sotto.serdes.event.EventKeys.FORMAT;
import static dev.sotto.serdes.event.EventKeys.MAX_BYTES;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_MIN;

import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.event.FieldDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.LabelledDecoder;
import dev.sotto.serdes.event.MissingLabel;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.event.ShapeProblems;
import dev.sotto.serdes.feature.CanonicalText;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LabelKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** Builds the mapping of events whose fields are features. */
final class FieldMapping {
  private final Settings settings;
  private final Map<String, String> environment;
  private final RegistrySettings.Shared registries;

  FieldMapping(
      Settings settings, Map<String, String> environment, RegistrySettings.Shared registries) {
    this.settings = settings;
    this.environment = environment;
    this.registries = registries;
  }

  EventMapping read() {
    Optional<FeatureMap> built = Settings.attempt(() -> new FeatureMapRules(settings).map());
    String format = settings.get(FORMAT);
    boolean avro = format.equals(EventKeys.AVRO);
    boolean registered =
        avro ? settings.get(AVRO_FRAMING) == AvroFraming.CONFLUENT : !format.equals(EventKeys.JSON);
    if (avro && !registered) {
      Settings.attempt(() -> {
        RegistrySettings.refuse(settings);
        return "";
      });
    }
    List<Schema> schemas = avro && !registered ? schemas() : List.of();
    Optional<SchemaRegistry> registry = registered
        ? Optional.of(registries.read(settings, environment, Optional.of(answers())))
        : Optional.empty();
    FeatureMap map = built.orElseThrow(() -> new InvalidSettingException(FeatureKeys.ALL));
    int longest = settings.get(MAX_BYTES);
    String limit = "max-bytes " + longest + "\n";
    if (registry.isPresent()) {
      return registered(map, registry.get());
    }
    if (!avro) {
      return mapping(map, "events json\n" + limit, () -> new JsonEventDecoder(map, longest));
    }
    AvroFraming framing = settings.get(AVRO_FRAMING);
    settings.require(AvroEventDecoder.problems(map, framing, schemas));
    // With raw framing the one schema decides what the bytes mean; otherwise each record names its
    // own.
    String meaning = framing == AvroFraming.RAW
        ? " " + Long.toHexString(SchemaNormalization.parsingFingerprint64(schemas.get(0)))
        : "";
    return mapping(
        map,
        "events avro " + AVRO_FRAMING.domain().plain(framing) + meaning + "\n" + limit,
        () -> new AvroEventDecoder(map, framing, schemas, longest));
  }

  /** With a decoder for each of events and labels, where labels come later. */
  private EventMapping mapping(FeatureMap map, String text, Supplier<FieldDecoder> decoder) {
    if (!settings.isGiven(LabelKeys.TOPIC)) {
      return new EventMapping(
              map.dimension(), labels(map), map.describe() + text, () -> decoder.get())
          .with(map.measured());
    }
    MissingLabel missing = settings.get(LabelKeys.MISSING);
    String join = "joined by "
        + settings
            .find(LabelKeys.ID)
            .map(path -> "field " + CanonicalText.quoted(path))
            .orElse("key")
        + " within " + settings.get(LabelKeys.WAIT) + " missing " + missing.configName() + "\n";
    return new EventMapping(
            map.dimension(),
            labels(map),
            map.describe() + text + join,
            () -> new LabelledDecoder(map, decoder.get(), decoder.get(), missing))
        .with(map.measured());
  }

  /** Beside the state of the application, which a reset leaves there. */
  private Path answers() {
    try {
      return Path.of(settings.get(ApplicationKeys.STATE_DIR))
          .resolve(settings.get(ApplicationKeys.APP_ID) + ".schemas.jsonl");
    } catch (InvalidPathException noPath) {
      throw settings.rejectValue(ApplicationKeys.STATE_DIR, "be the path of a folder");
    }
  }

  /**
   * Each record names its schema, and an id never changes its meaning: the address decides none.
   */
  private EventMapping registered(FeatureMap map, SchemaRegistry registry) {
    int longest = settings.get(MAX_BYTES);
    SchemaIds ids = RegistrySettings.ids(settings);
    WriterSchema.Kind kind = EventKeys.registered(settings.get(FORMAT)).orElseThrow();
    if (!settings.isGiven(RegistrySettings.URL)) {
      List<WriterSchema> known =
          registry.known().stream().filter(each -> each.kind() == kind).toList();
      settings.require(ShapeProblems.of(map, known, RegistrySettings.FILE.name()));
    }
    return mapping(
            map,
            "events " + settings.get(FORMAT) + " "
                + AVRO_FRAMING.domain().plain(AvroFraming.CONFLUENT)
                + (ids.areApicurios() ? " " + ids.word() : "") + "\n" + "max-bytes " + longest
                + "\n",
            () -> new RegisteredEventDecoder(map, kind, ids, registry, longest))
        .with(registry);
  }

  /** A range is scaled to [0, 1]. */
  private LabelBounds labels(FeatureMap map) {
    double range = settings.isGiven(LABEL_MIN) ? 1 : Double.POSITIVE_INFINITY;
    boolean weighted = settings.isGiven(FeatureKeys.WEIGHT_FIELD);
    return new LabelBounds(
        range,
        map.measured().ofLabel(),
        weighted ? settings.find(FeatureKeys.WEIGHT_MAX).orElse(Double.POSITIVE_INFINITY) : 1);
  }

  private List<Schema> schemas() {
    List<Schema> schemas = new ArrayList<>();
    InvalidSettingException broken = null;
    for (String file : settings.get(AVRO_SCHEMAS)) {
      try {
        // A parser of its own for each: versions of one record share its name.
        schemas.add(WriterSchema.avroParser().parse(Files.readString(Path.of(file))));
      } catch (IOException | InvalidPathException unreadable) {
        broken = settings.rejectValue(AVRO_SCHEMAS, "name readable files", file);
      } catch (RuntimeException noSchema) {
        broken = settings.rejectValue(
            AVRO_SCHEMAS,
            "name files with one Avro schema each",
            file + " ("
                + String.valueOf(noSchema.getMessage()).lines().findFirst().orElse("") + ")");
      }
    }
    if (broken != null) {
      throw broken;
    }
    return schemas;
  }
}
