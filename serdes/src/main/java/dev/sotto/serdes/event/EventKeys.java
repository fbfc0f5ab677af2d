package dev.sotto.serdes.event;

import dev.sotto.learner.extension.ExtensionKind;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.MissingMarks;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.schema.WriterSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The settings of how events are written, and of what is read from them. */
public final class EventKeys {
  /** {@link #FORMAT}: one JSON object. */
  public static final String JSON = "json";
  /** {@link #FORMAT}: one Avro record. */
  public static final String AVRO = "avro";
  /** {@link #FORMAT}: one Protobuf message, whose schema a registry has. */
  public static final String PROTOBUF = "protobuf";
  /** {@link #FORMAT}: one JSON object after the id of its schema in a registry. */
  public static final String JSON_SCHEMA = "json-schema";
  /** {@link #FORMAT}: a ready-made example. */
  public static final String EXAMPLE = "example";

  /** Decoders of users. */
  public static final ExtensionKind<EventDecoderProvider> OWN = new ExtensionKind<>(
      EventDecoderProvider.class,
      List.of(JSON, AVRO, PROTOBUF, JSON_SCHEMA, EXAMPLE),
      "a decoder of your own");

  public static final ConfigKey<String> FORMAT = ConfigKey.of(
          "events.format",
          OWN.names(),
          "How values are written: one JSON object; one Avro record; one Protobuf message, or one"
              + " JSON object, after the id of its schema in a registry (docs/registry.md);"
              + " Sotto's own `Example`; or who decodes them (docs/extending.md).")
      .orElse(JSON);

  private static final Condition<String> FIELDS =
      Condition.isOneOf(FORMAT, JSON, AVRO, PROTOBUF, JSON_SCHEMA);

  public static final ConfigKey<String> PARAMETERS = ConfigKey.of(
          "events.parameters." + ConfigKey.FREE,
          ExtensionKind.parameters(),
          "A parameter of that decoder.")
      .optional()
      .onlyWith(OWN.isNamedBy(FORMAT));

  public static final ConfigKey<AvroFraming> AVRO_FRAMING = ConfigKey.of(
          "events.avro.framing",
          Domain.choice(
              AvroFraming.values(), each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-')),
          "What stands before an Avro body: Avro's single-object header, nothing, or the id of a"
              + " schema in a registry, in five bytes or in a header of the record"
              + " (docs/registry.md).")
      .orElse(AvroFraming.SINGLE_OBJECT)
      .onlyWith(FORMAT, AVRO);

  public static final ConfigKey<List<String>> AVRO_SCHEMAS = ConfigKey.of(
          "events.avro.schemas",
          Domain.items(),
          "Files (`.avsc`) with the writers' schemas; exactly one for raw framing.")
      .onlyWith(AVRO_FRAMING, AvroFraming.SINGLE_OBJECT, AvroFraming.RAW)
      .onlyWith(FORMAT, AVRO);

  public static final ConfigKey<NumberComma> COMMA = ConfigKey.of(
          "events.comma",
          Domain.choice(
              new NumberComma[] {NumberComma.DECIMAL, NumberComma.THOUSANDS}, NumberComma::word),
          "What a comma means in a text that is to be a number: the decimal point (1.234,5) or"
              + " thousands (1,234.5). Without it the record of such a text counts as empty.")
      .optional()
      .onlyWith(FIELDS);

  public static final ConfigKey<MissingMarks> MISSING = ConfigKey.of(
          "events.missing",
          Domain.choice(MissingMarks.values(), MissingMarks::word),
          "What is missing where a number is due, beside null and a blank text: nothing, or the"
              + " usual marks NA, N/A, #N/A, NaN, null, nil, none, missing and unknown, in any"
              + " case, and ?, - or . alone. A category keeps them as values.")
      .orElse(MissingMarks.NONE)
      .onlyWith(FIELDS);

  public static final ConfigKey<Integer> MAX_BYTES = ConfigKey.of(
          "events.max.bytes",
          Domain.intAtLeast(1),
          "Longer values leave their slot empty and become dead letters.")
      .orElse(1 << 20);

  public static final ConfigKey<Integer> DIMENSION = ConfigKey.of(
          "features.dimension", Domain.intAtLeast(1), "The number of coordinates of the examples.")
      .onlyWith(FORMAT, EXAMPLE);

  /** How values are decoded, in the order of the manual. */
  public static final List<ConfigKey<?>> EVENTS =
      List.of(FORMAT, PARAMETERS, AVRO_FRAMING, AVRO_SCHEMAS, COMMA, MISSING, MAX_BYTES);

  private EventKeys() {}

  /** Of which kind schemas are that records of a format name by ids; empty where they cannot. */
  public static Optional<WriterSchema.Kind> registered(String format) {
    return switch (format) {
      case AVRO -> Optional.of(WriterSchema.Kind.AVRO);
      case PROTOBUF -> Optional.of(WriterSchema.Kind.PROTOBUF);
      case JSON_SCHEMA -> Optional.of(WriterSchema.Kind.JSON);
      default -> Optional.empty();
    };
  }

  /** The features, in the order of the manual. */
  public static List<ConfigKey<?>> features() {
    List<ConfigKey<?>> keys = new ArrayList<>();
    keys.add(FeatureKeys.BIAS.onlyWith(FIELDS));
    keys.add(FeatureKeys.NORM.onlyWith(FIELDS.or(OWN.isNamedBy(FORMAT))));
    FeatureKeys.FEATURES.forEach(key -> keys.add(key.onlyWith(FIELDS)));
    keys.add(DIMENSION);
    return keys;
  }

  /** Label, weight and unit, in the order of the manual. */
  public static List<ConfigKey<?>> labels() {
    List<ConfigKey<?>> keys = new ArrayList<>();
    FeatureKeys.LABELS.forEach(key -> keys.add(key.onlyWith(FIELDS)));
    keys.add(FeatureKeys.UNIT_FROM);
    keys.add(FeatureKeys.UNIT_FIELD.onlyWith(FIELDS));
    keys.add(FeatureKeys.UNIT_FIELDS.onlyWith(FIELDS));
    return keys;
  }
}
