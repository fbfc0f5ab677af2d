package dev.sotto.app.config;

import static org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE;

import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.topology.Layout;
import dev.sotto.topology.ModelIds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  /** A key applies only where another one has one of these values. */
  record Condition(String on, Set<String> values) {
    static Condition when(String on, String... values) {
      return new Condition(on, Set.of(values));
    }

    @Override
    public String toString() {
      return on + " " + String.join(" or ", values.stream().sorted().toList());
    }
  }

  private static final Condition FIELDS = Condition.when("events.format", "json", "avro");
  private static final Condition AVRO = Condition.when("events.format", "avro");
  private static final String FREE = "<name>";

  /** The table; after what it is made of. */
  static final ConfigKeys ALL = new ConfigKeys();

  private final ConfigDef table = new ConfigDef();
  private final Map<String, List<Condition>> conditions = new LinkedHashMap<>();
  private final Map<String, KeyFamily> families = new LinkedHashMap<>();
  private String group;
  private int place;

  private ConfigKeys() {
    application();
    events();
    features();
    labels();
    learning();
    privacy();
    running();
  }

  private void application() {
    group("Application");
    required("app.id", Type.STRING, Rules.topic(180, "logs", "build.log", "build.lock", SottoConfig.BROKER_FOLDER),
        "Names this learner: its consumer group, its state and the beginning of all its topics. Never change it while"
            + " a model lives.");
    required("bootstrap.servers", Type.LIST, Rules.servers(),
        "The brokers to ask first. Not needed with `--embedded`.");
    optional("layout", Type.STRING, "funnel", Rules.oneOf(Layout.values(), Layout::configName),
        "Who cuts the rounds: `funnel` learns one model over all partitions of the event topic, `direct` one model per"
            + " partition, key or header (or one over a topic of one partition).");
    optional("model.id.source", Type.STRING, "constant",
        Rules.oneOf(ModelIds.Source.values(), ModelIds.Source::configName),
        "Where a record's model comes from; never its value, since which model a slot belongs to must be public."
            + " Only `constant` with layout funnel.");
    optional("model.id", Type.STRING, "model", Rules.modelId(),
        "The model's id (`constant`), or its beginning, followed by a hyphen and the partition (`partition`).",
        Condition.when("model.id.source", "constant", "partition"));
    required("model.id.header", Type.STRING, Rules.notBlank(),
        "The name of the header whose value is the model's id.", Condition.when("model.id.source", "header"));
    optional("run.label", Type.STRING, "1", Rules.notBlank(),
        "Names the run. Another label is another run, with noise of its own and a budget of its own: give one only for"
            + " a model on records that no earlier run has seen, or add both costs.");
  }

  private void events() {
    group("Events");
    required("events.topic", Type.STRING, Rules.topic(249), "The topic to learn from. It must not be compacted.");
    optional("events.format", Type.STRING, "json", Rules.oneOf("json", "avro", "example"),
        "How values are written: one JSON object, one Avro record, or Sotto's own ready-made `Example`.");
    required("events.avro.schemas", Type.LIST, Rules.items(),
        "Files (`.avsc`) with the schemas that writers use; exactly one for raw framing.", AVRO);
    optional("events.avro.framing", Type.STRING, "single-object", Rules.oneOf("single-object", "raw"),
        "What stands before an Avro body: Avro's single-object header, or nothing.", AVRO);
    optional("events.max.bytes", Type.INT, 1 << 20, Rules.atLeast(1),
        "Longer values are not read: they fill their slot with nothing and go to the dead letters.");
    optional("events.start", Type.STRING, "earliest", Rules.oneOf("earliest", "latest"),
        "Where the first start of all begins to read; without meaning later.");
  }

  private void features() {
    group("Features");
    optional("features.bias", Type.BOOLEAN, true, Rules.any(), "Whether the first coordinate is a constant.", FIELDS);
    optional("features.norm", Type.STRING, "scale", Rules.oneOf("scale", "clip"),
        "How every vector is brought to norm 1: divided by its norm always, or only where that is above 1.", FIELDS);
    optional("features.hash.bits", Type.INT, 16, Rules.between(1, 22),
        "Categories and crosses share 2^bits coordinates by hashing.", FIELDS);
    String numeric = "features.numeric." + FREE;
    required(numeric + ".field", Type.STRING, Rules.notBlank(),
        "A number: the path of its field, with dots between names.", FIELDS);
    required(numeric + ".min", Type.DOUBLE, Rules.finite(),
        "Its public lower bound; what lies below counts as the bound.", FIELDS);
    required(numeric + ".max", Type.DOUBLE, Rules.finite(),
        "Its public upper bound; what lies above counts as the bound.", FIELDS);
    optional(numeric + ".transform", Type.STRING, "identity", Rules.oneOf("identity", "log1p"),
        "Applied before it is scaled between its bounds; `log1p` is ln(1 + max(v, 0)).", FIELDS);
    optional(numeric + ".optional", Type.BOOLEAN, false, Rules.any(),
        "Whether a record without it still counts, the feature being 0.", FIELDS);
    String categorical = "features.categorical." + FREE;
    required(categorical + ".field", Type.STRING, Rules.notBlank(),
        "A category: the path of its field (text, a number or a boolean).", FIELDS);
    optional(categorical + ".optional", Type.BOOLEAN, false, Rules.any(),
        "Whether a record without it still counts, the feature being absent.", FIELDS);
    String cross = "features.cross." + FREE;
    required(cross + ".fields", Type.LIST, Rules.items(), "A cross of 2 to 8 categories: the paths of their fields.",
        FIELDS);
    optional(cross + ".optional", Type.BOOLEAN, false, Rules.any(),
        "Whether a record without one of them still counts, the cross being absent.", FIELDS);
    required("features.dimension", Type.INT, Rules.atLeast(1), "How many coordinates the examples have.",
        Condition.when("events.format", "example"));
  }

  private void labels() {
    group("Label, weight and unit");
    required("label.field", Type.STRING, Rules.notBlank(),
        "The path of the label. With none of the rules below it is taken as it is: a number, or true and false for 1"
            + " and 0.", FIELDS);
    optional("label.threshold", Type.DOUBLE, null, Rules.finite(), "The label is 1 above this, 0 elsewhere.", FIELDS);
    optional("label.classes", Type.LIST, null, Rules.items(),
        "The label is 1 where the field's text is in this list, 0 elsewhere.", FIELDS);
    optional("label.min", Type.DOUBLE, null, Rules.finite(),
        "Together with `label.max`: the label is scaled from [min, max] to [0, 1], and cut there.", FIELDS);
    optional("label.max", Type.DOUBLE, null, Rules.finite(), "See `label.min`.", FIELDS);
    optional("weight.field", Type.STRING, null, Rules.notBlank(),
        "The path of a weight of at least 0, which multiplies the gradient before it is clipped.", FIELDS);
    optional("unit.from", Type.STRING, "none", Rules.oneOf("none", "field", "key"),
        "Where the id of a privacy unit (a user, a device) is read: nowhere, a field, or the record's key. Records"
            + " without it count as empty. It changes no guarantee as long as `privacy.unit` is record.");
    required("unit.field", Type.STRING, Rules.notBlank(),
        "The path of the unit's id; an `Example` has a field of its own.", Condition.when("unit.from", "field"), FIELDS);
  }

  private void learning() {
    group("Learning");
    required("loss", Type.STRING, Rules.oneOf(Losses.values(), Losses::configName),
        "What is minimised. `logistic` and `hinge` need labels of 0 and 1 (logistic also any between).");
    optional("loss.threshold", Type.DOUBLE, Huber.DEFAULT_THRESHOLD, Rules.positive(),
        "The error at which `huber` turns linear.", Condition.when("loss", "huber"));
    optional("algorithm", Type.STRING, "private-ftrl", Rules.oneOf(Optimizers.values(), Optimizers::configName),
        "How weights follow from noisy sums of gradients.");
    optional("batch.size", Type.LONG, 4096L, Rules.atLeast(1),
        "Slots in a round. Each round publishes one model version; larger rounds drown less in noise.");
    optional("clip.norm", Type.DOUBLE, 1.0, Rules.positive(), "The l2 norm to which every example's gradient is cut.");
    optional("ftrl.potential", Type.STRING, "l2", Rules.oneOf(Potentials.values(), Potentials::configName),
        "The regulariser and the shape of the set that holds the weights.");
    optional("ftrl.radius", Type.DOUBLE, Double.POSITIVE_INFINITY, Rules.numbers("positive, or inf", r -> r > 0),
        "The radius of the ball or the size of the simplex (which must be finite); `inf` for the whole space.",
        Condition.when("ftrl.potential", "l2", "lp", "simplex"));
    optional("ftrl.p", Type.DOUBLE, 1.5, Rules.numbers("above 1 and at most 2", p -> p > 1 && p <= 2),
        "The exponent of the norm.", Condition.when("ftrl.potential", "lp"));
    required("ftrl.min", Type.DOUBLE, Rules.finite(), "The least value of a weight.",
        Condition.when("ftrl.potential", "box"));
    required("ftrl.max", Type.DOUBLE, Rules.finite(), "The largest value of a weight.",
        Condition.when("ftrl.potential", "box"));
    optional("ftrl.steps", Type.STRING, "decreasing", Rules.oneOf("decreasing", "fixed"),
        "Step sizes that fall as 1/sqrt(round), or the same in all rounds of a horizon.");
    required("ftrl.steps.horizon", Type.LONG, Rules.atLeast(1), "The number of rounds that fixed steps are made for.",
        Condition.when("ftrl.steps", "fixed"));
    optional("ftrl.steps.multiplier", Type.DOUBLE, 1.0, Rules.positive(), "Multiplies every step.");
    optional("ftrl.diameter", Type.DOUBLE, null, Rules.positive(),
        "D of the step sizes, about the norm of the weights that are sought. Unless given, it follows from the"
            + " potential and the radius, and is 1 where the radius is `inf`.");
  }

  private void privacy() {
    group("Privacy");
    required("privacy.epsilon", Type.DOUBLE, Rules.positive(),
        "The most that may ever be spent: the round that would exceed it never happens.");
    required("privacy.delta", Type.DOUBLE, Rules.numbers("above 0 and below 1", d -> d > 0 && d < 1),
        "The delta at which epsilon is told: far below one over the number of records. Above 1e-5 draws a warning.");
    optional("privacy.noise.multiplier", Type.DOUBLE, null, Rules.positive(),
        "Standard deviation of the noise over the sensitivity of a round's sum (clip.norm, twice that for replace-one)."
            + " Give either this or the horizon.");
    optional("privacy.horizon.rounds", Type.STRING, null, Rules.horizon(),
        "The noise is the least with which so many rounds fit the budget; `endless` where the mechanism has a limit.");
    optional("privacy.mechanism", Type.STRING, "binary-tree", Rules.oneOf(Mechanisms.values(), Mechanisms::configName),
        "How the noise of a prefix of rounds is put together. `binary-tree` costs more with every doubling of the"
            + " rounds, while its error hardly grows; with `independent` it is the other way round.");
    optional("privacy.adjacency", Type.STRING, "zero-out", Rules.oneOf(Adjacency.values(), Adjacency::configName),
        "Which change is hidden: that a record's content counts at all, or what it is (twice the noise).");
    optional("privacy.unit", Type.STRING, "record",
        new Rules.Rule("record: contributions per key are not bounded yet",
            PrivacyUnit.RECORD.configName()::equals),
        "Whose contribution is hidden: one record.");
    optional("noise.key.file", Type.STRING, null, Rules.path(),
        "The file with the secret from which all noise follows: 64 hexadecimal digits, readable by its owner alone."
            + " `sotto key FILE` makes one. Keep it as long as the model, and secret for longer.");
    optional("noise.key.env", Type.STRING, null, Rules.variable(),
        "The name of the environment variable that holds those digits. Give either this or the file.");
  }

  private void running() {
    group("Running");
    optional("checkpoint.slots", Type.LONG, 200_000L, Rules.atLeast(1),
        "A round in progress is saved after so many slots, which bounds what a restart reads again.");
    optional("checkpoint.interval.ms", Type.LONG, 60_000L, Rules.atLeast(1), "And after so much time.");
    optional("state.every.rounds", Type.LONG, 1L, Rules.atLeast(1), "Rounds between two writes of large state.");
    optional("release.every.rounds", Type.LONG, 1L, Rules.atLeast(1),
        "Rounds between two published snapshots; what a round costs is paid all the same.");
    optional("state.dir", Type.STRING, "./state", Rules.notBlank(), "The folder of the local state.");
    optional("topics.replication.factor", Type.SHORT, (short) -1,
        Rules.numbers("-1, or at least 1", r -> r == -1 || r >= 1),
        "Of topics that are created; -1 for the broker's default.");
    optional("topics.history.ms", Type.LONG, 7 * 24 * 3_600_000L, Rules.atLeast(0),
        "For how long every snapshot stays readable before only the newest is kept.");
    optional("threads", Type.INT, 1, Rules.between(1, 256), "Stream threads of this instance.");
    optional("transaction.timeout.ms", Type.INT, 10_000, Rules.between(1_000, 900_000),
        "After this the broker ends the transaction of an instance that died. It must exceed the commit interval and"
            + " not exceed the broker's `transaction.max.timeout.ms` (15 minutes unless changed).");
    optional("kafka." + FREE, Type.STRING, null, Rules.any(),
        "Any setting of Kafka's clients or Streams, passed through: `kafka.security.protocol`,"
            + " `kafka.consumer.max.poll.records`.");
  }

  private void group(String name) {
    group = name;
    place = 0;
  }

  private void required(String name, Type type, Rules.Rule rule, String sentence, Condition... when) {
    define(name, type, NO_DEFAULT_VALUE, rule, Importance.HIGH, sentence, when);
  }

  private void optional(
      String name, Type type, Object value, Rules.Rule rule, String sentence, Condition... when) {
    define(name, type, value, new Rules.Rule(rule.words(), v -> v == null || rule.kept().test(v)), Importance.MEDIUM,
        sentence, when);
  }

  private void define(
      String name, Type type, Object value, Rules.Rule rule, Importance importance, String sentence,
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
