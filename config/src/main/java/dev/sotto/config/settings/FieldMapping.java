package dev.sotto.config.settings;

import static dev.sotto.serdes.event.EventKeys.AVRO_FRAMING;
import static dev.sotto.serdes.event.EventKeys.AVRO_SCHEMAS;
import static dev.sotto.serdes.event.EventKeys.FORMAT;
import static dev.sotto.serdes.event.EventKeys.MAX_BYTES;
import static dev.sotto.serdes.feature.FeatureKeys.CATEGORICAL_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.CATEGORICAL_OPTIONAL;
import static dev.sotto.serdes.feature.FeatureKeys.CROSS_FIELDS;
import static dev.sotto.serdes.feature.FeatureKeys.CROSS_OPTIONAL;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_CLASSES;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_MAX;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_MIN;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_THRESHOLD;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_MAX;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_MIN;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_OPTIONAL;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_TRANSFORM;
import static dev.sotto.serdes.feature.FeatureKeys.UNIT_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.UNIT_FIELDS;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
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
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.feature.Transform;
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
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** Builds the mapping of events whose fields are features. */
final class FieldMapping {
  private static final ConfigKey<List<String>> LABEL_NAMES = ObjectiveSettings.LABEL_NAMES;

  private final Settings settings;
  private final Map<String, String> environment;
  private final RegistrySettings.Shared registries;
  private boolean sound = true;

  FieldMapping(
      Settings settings, Map<String, String> environment, RegistrySettings.Shared registries) {
    this.settings = settings;
    this.environment = environment;
    this.registries = registries;
  }

  EventMapping read() {
    Optional<FeatureMap> built = Settings.attempt(this::map);
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

  private FeatureMap map() {
    FeatureMapBuilder builder = FeatureMap.builder();
    attempt(() -> builder
        .bias(settings.get(FeatureKeys.BIAS))
        .norm(settings.get(FeatureKeys.NORM))
        .comma(settings.find(EventKeys.COMMA).orElse(NumberComma.NONE))
        .missing(settings.get(EventKeys.MISSING))
        .hashBits(settings.get(FeatureKeys.HASH_BITS))
        .hats(settings.find(FeatureKeys.HATS).orElseGet(this::usualHats)));
    features(builder);
    // An error of its own where it is missing; the rule is set once that is known to be sound.
    String label = settings.isUsable(LABEL_FIELD) ? settings.get(LABEL_FIELD) : "-";
    builder.label(label, new LabelRule.AsItIs());
    attempt(() -> {
      LabelRule rule = labelRule();
      return builder.label(settings.get(LABEL_FIELD), rule);
    });
    attempt(() -> settings
        .find(FeatureKeys.WEIGHT_FIELD)
        .map(field -> builder.weight(
            field, settings.find(FeatureKeys.WEIGHT_MAX).orElse(Double.POSITIVE_INFINITY)))
        .orElse(builder));
    attempt(() -> unit(builder));
    settings.require(builder.problems());
    if (!sound) {
      throw new InvalidSettingException(FeatureKeys.ALL);
    }
    return builder.build();
  }

  /** None where a round would need more slots for their weights than for its noise. */
  private int usualHats() {
    long weights = (long) ObjectiveSettings.rows(settings)
        * settings.names(NUMERIC_FIELD).size()
        * (FeatureKeys.USUAL_HATS + 1);
    int hats = weights > FeatureKeys.MOST_USUAL_HATS ? 0 : FeatureKeys.USUAL_HATS;
    settings.settle(FeatureKeys.HATS, hats);
    return hats;
  }

  private void attempt(Supplier<FeatureMapBuilder> part) {
    sound &= Settings.attempt(part).isPresent();
  }

  /** In alphabetical order: two files with the same settings give the same model. */
  private void features(FeatureMapBuilder builder) {
    for (String name : settings.names(NUMERIC_FIELD)) {
      attempt(() -> number(builder, name));
    }
    attempt(() -> builder.form(form(builder)));
    for (String name : settings.names(CATEGORICAL_FIELD)) {
      attempt(() -> builder.categorical(
          name,
          settings.get(CATEGORICAL_FIELD.named(name)),
          settings.get(CATEGORICAL_OPTIONAL.named(name))));
    }
    for (String name : settings.names(CROSS_FIELDS)) {
      attempt(() -> builder.cross(
          name, settings.get(CROSS_FIELDS.named(name)), settings.get(CROSS_OPTIONAL.named(name))));
    }
  }

  /** Of numbers without bounds: where curves were too many weights, straight lines. */
  private NumberForm form(FeatureMapBuilder builder) {
    boolean measured =
        !builder.isBounded() && settings.get(FeatureKeys.RANGES) == FeatureKeys.Ranges.PRIVATE;
    if (!measured && settings.find(FeatureKeys.OCTAVES).filter(on -> !on).isPresent()) {
      throw settings.reject(
          FeatureKeys.OCTAVES,
          "must be true or absent where no ranges are measured (" + FeatureKeys.RANGES
              + " none, or no number without bounds)");
    }
    if (!measured) {
      return NumberForm.OCTAVES;
    }
    boolean octaves = settings.find(FeatureKeys.OCTAVES).orElseGet(() -> {
      long weights = (long) ObjectiveSettings.rows(settings)
          * builder.unbounded()
          * NumberForm.MEASURED.count();
      boolean few = weights <= FeatureKeys.MOST_USUAL_OCTAVES;
      settings.settle(FeatureKeys.OCTAVES, few);
      return few;
    });
    return octaves ? NumberForm.MEASURED : NumberForm.PLACE;
  }

  /** With both bounds, or without any. */
  private FeatureMapBuilder number(FeatureMapBuilder builder, String name) {
    String field = settings.get(NUMERIC_FIELD.named(name));
    ConfigKey<Double> min = NUMERIC_MIN.named(name);
    ConfigKey<Double> max = NUMERIC_MAX.named(name);
    boolean optional = settings.get(NUMERIC_OPTIONAL.named(name));
    if (settings.isGiven(min) || settings.isGiven(max)) {
      for (ConfigKey<Double> each : List.of(min, max)) {
        if (!settings.isGiven(each)) {
          throw settings.reject(
              each,
              "must be given together with the other bound, but is missing; or remove that one,"
                  + " and the range of the number is measured");
        }
      }
      return builder.numeric(
          name,
          field,
          settings.get(min),
          settings.get(max),
          settings.get(NUMERIC_TRANSFORM.named(name)),
          optional);
    }
    if (settings.get(NUMERIC_TRANSFORM.named(name)) != Transform.IDENTITY) {
      throw settings.reject(
          NUMERIC_TRANSFORM.named(name),
          "must be identity where the number has no bounds, since it is applied between them; give "
              + min + " and " + max + ", or remove it");
    }
    return builder.unbounded(name, field, optional);
  }

  private LabelRule labelRule() {
    boolean range = settings.isGiven(LABEL_MIN) || settings.isGiven(LABEL_MAX);
    List<ConfigKey<?>> rules =
        new ArrayList<>(Stream.of(LABEL_THRESHOLD, LABEL_CLASSES, LABEL_NAMES)
            .filter(settings::isGiven)
            .toList());
    rules.addAll(range ? List.of(LABEL_MIN, LABEL_MAX) : List.of());
    if (rules.size() > (range ? 2 : 1)) {
      List<String> others = rules.stream().skip(1).map(ConfigKey::name).toList();
      throw settings.reject(
          rules.get(0),
          "must be the only rule of the label, but so are " + String.join(", ", others)
              + "; remove all but one");
    }
    for (ConfigKey<?> bound : range ? rules : List.<ConfigKey<?>>of()) {
      if (!settings.isGiven(bound)) {
        throw settings.reject(
            bound, "must be given together with the other bound of the label, but is missing");
      }
    }
    LabelRule rule = rules.isEmpty() ? plain() : rule(rules.get(0));
    checkLoss(rule);
    return rule;
  }

  /**
   * Of a label without a rule. Whoever states a clip in the label's own unit knows how large labels
   * are: those stay as they are.
   */
  private LabelRule plain() {
    boolean measured = ObjectiveSettings.takesMeasured(settings)
        && settings.isUsable(FeatureKeys.RANGES)
        && settings.get(FeatureKeys.RANGES) == FeatureKeys.Ranges.PRIVATE
        && !settings.isGiven(PlanKeys.CLIP_NORM)
        && settings.isUsable(Optimizers.ALGORITHM)
        && settings.get(Optimizers.ALGORITHM).measuresLabels();
    return measured
        ? new LabelRule.Measured()
        : new LabelRule.AsItIs(ObjectiveSettings.hasTwoClasses(settings));
  }

  private LabelRule rule(ConfigKey<?> key) {
    if (key == LABEL_THRESHOLD) {
      return new LabelRule.Threshold(settings.get(LABEL_THRESHOLD));
    }
    if (key == LABEL_CLASSES) {
      return new LabelRule.Classes(settings.get(LABEL_CLASSES));
    }
    return key == LABEL_NAMES
        ? new LabelRule.Names(settings.get(LABEL_NAMES))
        : new LabelRule.Range(settings.get(LABEL_MIN), settings.get(LABEL_MAX));
  }

  /** Refuses labels that mean nothing to the loss. */
  private void checkLoss(LabelRule rule) {
    if (!settings.isUsable(ObjectiveSettings.LOSS)) {
      return;
    }
    boolean classes = ObjectiveSettings.hasClasses(settings);
    boolean binary = ObjectiveSettings.isBinary(settings);
    String absent = "must be absent with loss " + settings.get(ObjectiveSettings.LOSS);
    if (rule instanceof LabelRule.Names && !classes) {
      throw settings.reject(
          LABEL_NAMES,
          absent + ", whose labels are not numbers of classes; use " + LABEL_CLASSES
              + " for 1 and 0");
    }
    if (rule instanceof LabelRule.Range && (binary || classes)) {
      throw settings.reject(
          LABEL_MIN,
          absent
              + (binary
                  ? ", which needs labels of 0 and 1; use " + LABEL_THRESHOLD + " or "
                      + LABEL_CLASSES
                  : ", which needs numbers of classes; use " + LABEL_NAMES));
    }
  }

  private FeatureMapBuilder unit(FeatureMapBuilder builder) {
    return switch (settings.get(FeatureKeys.UNIT_FROM)) {
      case FeatureKeys.KEY -> builder.unitFromKey();
      case FeatureKeys.FIELD ->
        settings.isFirstOfTwo(UNIT_FIELD, UNIT_FIELDS, "they name the ids of units")
            ? builder.unitField(settings.find(UNIT_FIELD).orElseThrow())
            : builder.unitFields(owners());
      default -> builder;
    };
  }

  private List<String> owners() {
    if (settings.get(PlanKeys.UNIT) != PrivacyUnit.KEY) {
      throw settings.reject(
          UNIT_FIELDS, "must be absent unless " + PlanKeys.UNIT + " is key: give unit.field");
    }
    if (!settings.get(FORMAT).equals(EventKeys.JSON)) {
      throw settings.reject(
          UNIT_FIELDS,
          "must be absent unless " + FORMAT + " is json, whose owners are read whatever else a"
              + " value holds: give unit.field");
    }
    if (settings.isGiven(LabelKeys.TOPIC)) {
      throw settings.reject(
          UNIT_FIELDS,
          "must be absent where labels come later, whose events have one unit: give unit.field");
    }
    return settings.find(UNIT_FIELDS).orElseThrow();
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
