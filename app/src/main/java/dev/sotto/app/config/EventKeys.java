package dev.sotto.app.config;

import dev.sotto.app.config.ConfigKeys.Condition;
import dev.sotto.topology.Layout;
import dev.sotto.topology.ModelIds;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Settings of the application and of the way from event to example. */
final class EventKeys {
  private static final Condition FIELDS = Condition.when("events.format", "json", "avro");
  private static final Condition AVRO = Condition.when("events.format", "avro");
  private static final Condition OWN = Condition.own(Own.DECODER);
  private static final String FREE = ConfigKeys.FREE;

  private EventKeys() {}

  static void declare(ConfigKeys keys) {
    application(keys);
    events(keys);
    features(keys);
    labels(keys);
  }

  private static void application(ConfigKeys keys) {
    keys.group("Application");
    keys.required(
        "app.id",
        Type.STRING,
        Rules.topic(180, "logs", "build.log", "build.lock", SottoConfig.BROKER_FOLDER),
        "Names this learner: its consumer group, its state and the beginning of all its topics. Never change it while"
            + " a model lives.");
    keys.required(
        "bootstrap.servers",
        Type.LIST,
        Rules.servers(),
        "The brokers to ask first. Not needed with `--embedded`.");
    keys.optional(
        "layout",
        Type.STRING,
        "funnel",
        Rules.oneOf(Layout.values(), Layout::configName),
        "Who cuts the rounds: `funnel` learns one model over all partitions of the event topic, `direct` one model per"
            + " partition, key or header (or one over a topic of one partition), `rounds` one model over all partitions"
            + " whose slices are summed in parallel, for few, large rounds (docs/rounds.md).");
    keys.optional(
        "model.id.source",
        Type.STRING,
        "constant",
        Rules.oneOf(ModelIds.Source.values(), ModelIds.Source::configName),
        "Where a record's model comes from; never its value, since which model a slot belongs to must be public."
            + " Only `constant` with layouts funnel and rounds. With `key` and `header` a model is at home in one partition: Kafka's"
            + " murmur2 of the id, over the number of partitions. Producers must partition by that very id (Java's default"
            + " does by the key; librdkafka needs `partitioner=murmur2_random`); anything else becomes a dead letter with"
            + " reason NO_MODEL.");
    keys.optional(
        "model.id",
        Type.STRING,
        "model",
        Rules.modelId(),
        "The model's id (`constant`), or its beginning, followed by a hyphen and the partition (`partition`).",
        Condition.when("model.id.source", "constant", "partition"));
    keys.required(
        "model.id.header",
        Type.STRING,
        Rules.notBlank(),
        "The name of the header whose value is the model's id.",
        Condition.when("model.id.source", "header"));
    keys.optional(
        "run.label",
        Type.STRING,
        "1",
        Rules.notBlank(),
        "Names the run; it tells the runs of new app.ids apart, whose noise and budget are their own. Changing it on an"
            + " existing model is refused. A new run over records that an earlier one has seen costs again: add both.");
  }

  private static void events(ConfigKeys keys) {
    keys.group("Events");
    keys.required(
        "events.topic",
        Type.STRING,
        Rules.topic(249),
        "The topic to learn from. It must not be compacted.");
    keys.optional(
        "events.format",
        Type.STRING,
        "json",
        Rules.builtInOr(Own.DECODER),
        "How values are written: one JSON object, one Avro record, or Sotto's own ready-made `Example`; or who decodes"
            + " them (docs/extending.md).");
    keys.optional(
        Own.EVENT_PARAMETERS + FREE,
        Type.STRING,
        null,
        Rules.parameter(),
        "A parameter of that decoder, by its name.",
        OWN);
    keys.required(
        "events.avro.schemas",
        Type.LIST,
        Rules.items(),
        "Files (`.avsc`) with the schemas that writers use; exactly one for raw framing.",
        AVRO);
    keys.optional(
        "events.avro.framing",
        Type.STRING,
        "single-object",
        Rules.oneOf("single-object", "raw"),
        "What stands before an Avro body: Avro's single-object header, or nothing.",
        AVRO);
    keys.optional(
        "events.max.bytes",
        Type.INT,
        1 << 20,
        Rules.atLeast(1),
        "Longer values are not read: they fill their slot with nothing and go to the dead letters.");
    keys.optional(
        "events.start",
        Type.STRING,
        "earliest",
        Rules.oneOf("earliest", "latest"),
        "Where the first start of all begins to read; without meaning later.");
  }

  private static void features(ConfigKeys keys) {
    keys.group("Features");
    keys.optional(
        "features.bias",
        Type.BOOLEAN,
        true,
        Rules.any(),
        "Whether the first coordinate is a constant.",
        FIELDS);
    keys.optional(
        "features.norm",
        Type.STRING,
        "scale",
        Rules.oneOf("scale", "clip"),
        "How every vector is brought to norm 1: divided by its norm always, or only where that is above 1.",
        FIELDS.or(OWN));
    keys.optional(
        "features.hash.bits",
        Type.INT,
        16,
        Rules.between(1, 22),
        "Categories and crosses share 2^bits coordinates by hashing.",
        FIELDS);
    String numeric = "features.numeric." + FREE;
    keys.required(
        numeric + ".field",
        Type.STRING,
        Rules.notBlank(),
        "A number: the path of its field, with dots between names.",
        FIELDS);
    keys.required(
        numeric + ".min",
        Type.DOUBLE,
        Rules.finite(),
        "Its public lower bound; what lies below counts as the bound.",
        FIELDS);
    keys.required(
        numeric + ".max",
        Type.DOUBLE,
        Rules.finite(),
        "Its public upper bound; what lies above counts as the bound.",
        FIELDS);
    keys.optional(
        numeric + ".transform",
        Type.STRING,
        "identity",
        Rules.oneOf("identity", "log1p"),
        "Applied before it is scaled between its bounds; `log1p` is ln(1 + max(v, 0)).",
        FIELDS);
    keys.optional(
        numeric + ".optional",
        Type.BOOLEAN,
        false,
        Rules.any(),
        "Whether a record without it still counts, the feature being 0.",
        FIELDS);
    String categorical = "features.categorical." + FREE;
    keys.required(
        categorical + ".field",
        Type.STRING,
        Rules.notBlank(),
        "A category: the path of its field (text, a number or a boolean).",
        FIELDS);
    keys.optional(
        categorical + ".optional",
        Type.BOOLEAN,
        false,
        Rules.any(),
        "Whether a record without it still counts, the feature being absent.",
        FIELDS);
    String cross = "features.cross." + FREE;
    keys.required(
        cross + ".fields",
        Type.LIST,
        Rules.items(),
        "A cross of 2 to 8 categories: the paths of their fields.",
        FIELDS);
    keys.optional(
        cross + ".optional",
        Type.BOOLEAN,
        false,
        Rules.any(),
        "Whether a record without one of them still counts, the cross being absent.",
        FIELDS);
    keys.required(
        "features.dimension",
        Type.INT,
        Rules.atLeast(1),
        "How many coordinates the examples have.",
        Condition.when("events.format", "example"));
  }

  private static void labels(ConfigKeys keys) {
    keys.group("Label, weight and unit");
    keys.required(
        "label.field",
        Type.STRING,
        Rules.notBlank(),
        "The path of the label. With none of the rules below it is taken as it is: a number, or true and false for 1"
            + " and 0.",
        FIELDS);
    keys.optional(
        "label.threshold",
        Type.DOUBLE,
        null,
        Rules.finite(),
        "The label is 1 above this, 0 elsewhere.",
        FIELDS);
    keys.optional(
        "label.classes",
        Type.LIST,
        null,
        Rules.items(),
        "The label is 1 where the field's text is in this list, 0 elsewhere.",
        FIELDS);
    keys.optional(
        Goals.NAMES,
        Type.LIST,
        null,
        Rules.items(),
        "For softmax: the classes' names. The label is the place of the field's text in this list, from 0; a record with"
            + " any other text counts as empty.",
        FIELDS);
    keys.optional(
        "label.min",
        Type.DOUBLE,
        null,
        Rules.finite(),
        "Together with `label.max`: the label is scaled from [min, max] to [0, 1], and cut there.",
        FIELDS);
    keys.optional("label.max", Type.DOUBLE, null, Rules.finite(), "See `label.min`.", FIELDS);
    keys.optional(
        "weight.field",
        Type.STRING,
        null,
        Rules.notBlank(),
        "The path of a weight of at least 0, which multiplies the gradient before it is clipped.",
        FIELDS);
    keys.optional(
        "unit.from",
        Type.STRING,
        "none",
        Rules.oneOf("none", "field", "key"),
        "Where the id of a privacy unit (a user, a device; with privacy.contribution first-of-id, a record) is read:"
            + " nowhere, a field (which a decoder of your own reads itself), or the record's key. Records without it count"
            + " as empty.");
    keys.required(
        "unit.field",
        Type.STRING,
        Rules.notBlank(),
        "The path of the unit's id; an `Example` has fields of its own: `unit`, and with first-of-id `id`.",
        Condition.when("unit.from", "field"),
        FIELDS);
  }
}
