package dev.sotto.serdes.feature;

import static dev.sotto.learner.settings.ConfigKey.FREE;

import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The settings of a {@link FeatureMap}: features, label, weight and unit. */
public final class FeatureKeys {
  /** {@link #UNIT_FROM}: records carry no id. */
  public static final String NOWHERE = "none";
  /** {@link #UNIT_FROM}: a field of the value. */
  public static final String FIELD = "field";
  /** {@link #UNIT_FROM}: the record's key. */
  public static final String KEY = "key";

  /** {@link #RANGES}. */
  public enum Ranges {
    /** Measured under noise. */
    PRIVATE,
    /** Not measured. */
    NONE;

    /** The name in the configuration. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Stands for all features in errors that are not of one setting. */
  public static final String ALL = "features";

  static final String NUMERIC = "features.numeric.";
  static final String CATEGORICAL = "features.categorical.";
  static final String CROSS = "features.cross.";

  /** No octaves of more weights than these, with their places, unless they are given. */
  public static final int MOST_USUAL_OCTAVES = 32_768;

  /** {@link #HATS} where they are not given. */
  public static final int USUAL_HATS = 8;

  /** No hats of more weights than these unless they are given. */
  public static final int MOST_USUAL_HATS = 4096;

  /** The smallest {@link #RANGES_SLOTS}: fewer values are less than their noise. */
  public static final long LEAST_RANGE_SLOTS = 192;

  /** The largest {@link #HASH_BITS} of a configuration. */
  private static final int MOST_BITS = 22;

  public static final ConfigKey<Boolean> BIAS = ConfigKey.of(
          "features.bias", Domain.flag(), "Whether the first coordinate is a constant.")
      .orElse(true);

  public static final ConfigKey<NormRule> NORM = ConfigKey.of(
          "features.norm",
          Domain.choice(NormRule.values(), NormRule::word),
          "How every vector is brought to norm 1: divided by its norm always, or only where that is"
              + " above 1.")
      .orElse(NormRule.SCALE);

  public static final ConfigKey<Ranges> RANGES = ConfigKey.of(
          "features.ranges",
          Domain.choice(Ranges.values(), Ranges::word),
          "Of numbers without bounds. `private`: the first slots of a run measure their ranges"
              + " under the budget, before anything is published. `none`: only their octaves count,"
              + " and a label that is a number needs bounds.")
      .orElse(Ranges.PRIVATE);

  public static final ConfigKey<Long> RANGES_SLOTS = ConfigKey.of(
          "features.ranges.slots",
          Domain.between(LEAST_RANGE_SLOTS, Long.MAX_VALUE),
          "The most slots of a model that may measure ranges, in whole rounds of each of three"
              + " stages. Unless given, as many as the noise asks for, and a tenth of a planned run"
              + " at most. `learn` gives a tenth of a short file (docs/numbers.md).")
      .optional()
      .onlyWith(RANGES, Ranges.PRIVATE);

  public static final ConfigKey<Boolean> OCTAVES = ConfigKey.of(
          "features.octaves",
          Domain.flag(),
          "Whether numbers without bounds are learned as curves, over their octaves and their"
              + " measured ranges: "
              + NumberForm.MEASURED.count()
              + " weights for each number, of each class. Without, each has one: a straight line."
              + " Unless given, it is false where there would be more than " + MOST_USUAL_OCTAVES
              + " weights, so that rounds had to be larger (docs/numbers.md).")
      .optional();

  public static final ConfigKey<Integer> HASH_BITS = ConfigKey.of(
          "features.hash.bits",
          Domain.intBetween(1, MOST_BITS),
          "Categories and crosses share 2^bits coordinates by hashing. Give more where they"
              + " have more than a few thousand values in all; each bit makes rounds cost twice as"
              + " much.")
      .orElse(10);

  public static final ConfigKey<Integer> HATS = ConfigKey.of(
          "features.hats",
          Domain.intBetween(0, FeatureMapBuilder.MAX_HATS),
          "Every number is learned as a curve over this number of intervals of its range, with a"
              + " hat at each knot; 0: as a straight line. Unless given, it is "
              + USUAL_HATS
              + ", and 0 where these would be more than " + MOST_USUAL_HATS
              + " weights, so that rounds had to be larger.")
      .optional();

  public static final ConfigKey<String> NUMERIC_FIELD = ConfigKey.of(
      NUMERIC + FREE + ".field",
      Domain.notBlank(),
      "A number, also one in a text: the path of its field, with dots between names. A field"
          + " whose own name has the dots comes first.");

  public static final ConfigKey<Double> NUMERIC_MIN = ConfigKey.of(
          NUMERIC + FREE + ".min",
          Domain.finite(),
          "Its public lower bound; what lies below counts as the bound. Give both bounds or"
              + " neither: docs/numbers.md.")
      .optional();

  public static final ConfigKey<Double> NUMERIC_MAX = ConfigKey.of(
          NUMERIC + FREE + ".max",
          Domain.finite(),
          "Its public upper bound; what lies above counts as the bound.")
      .optional();

  public static final ConfigKey<Transform> NUMERIC_TRANSFORM = ConfigKey.of(
          NUMERIC + FREE + ".transform",
          Domain.choice(Transform.values(), Transform::word),
          "Applied before it is scaled between its bounds; `log1p` is ln(1 + max(v, 0)).")
      .orElse(Transform.IDENTITY);

  public static final ConfigKey<Boolean> NUMERIC_OPTIONAL = ConfigKey.of(
          NUMERIC + FREE + ".optional",
          Domain.flag(),
          "Whether a record without it still counts, the feature being 0.")
      .orElse(false);

  public static final ConfigKey<String> CATEGORICAL_FIELD = ConfigKey.of(
      CATEGORICAL + FREE + ".field",
      Domain.notBlank(),
      "A category: the path of its field (text, a number or a boolean).");

  public static final ConfigKey<Boolean> CATEGORICAL_OPTIONAL = ConfigKey.of(
          CATEGORICAL + FREE + ".optional",
          Domain.flag(),
          "Whether a record without it still counts, the feature being absent.")
      .orElse(false);

  public static final ConfigKey<List<String>> CROSS_FIELDS = ConfigKey.of(
      CROSS + FREE + ".fields",
      Domain.items(),
      "A cross of 2 to 8 categories: the paths of their fields.");

  public static final ConfigKey<Boolean> CROSS_OPTIONAL = ConfigKey.of(
          CROSS + FREE + ".optional",
          Domain.flag(),
          "Whether a record without one of them still counts, the cross being absent.")
      .orElse(false);

  public static final ConfigKey<String> LABEL_FIELD = ConfigKey.of(
      "label.field",
      Domain.notBlank(),
      "The path of the label. Without a rule below it is a number, or true and false for 1 and"
          + " 0. Where the loss knows two classes, -1, `no`, `n`, `f` and `off` are 0; `yes`, `y`,"
          + " `t` and `on` are 1.");

  public static final ConfigKey<Double> LABEL_THRESHOLD = ConfigKey.of(
          "label.threshold", Domain.finite(), "The label is 1 above this, 0 elsewhere.")
      .optional();

  public static final ConfigKey<List<String>> LABEL_CLASSES = ConfigKey.of(
          "label.classes",
          Domain.items(),
          "The label is 1 where the field's value is in this list, 0 elsewhere: the same text,"
              + " or else an equal number (4.5 and 4.50) or boolean (True and true). In quotes,"
              + " `\"3.1\"` is that text only; outside of YAML the quotes are part of the value"
              + " (`--set 'label.classes=\"3.1\"'`).")
      .optional();

  public static final ConfigKey<Double> LABEL_MIN = ConfigKey.of(
          "label.min",
          Domain.finite(),
          "With `label.max`: the label is scaled from [min, max] to [0, 1], and cut there. With"
              + " neither, and no clip.norm, the range of a label that is a number (`squared`,"
              + " `absolute`, `quantile`) is measured: docs/numbers.md.")
      .optional();

  public static final ConfigKey<Double> LABEL_MAX =
      ConfigKey.of("label.max", Domain.finite(), "See `label.min`.").optional();

  public static final ConfigKey<String> WEIGHT_FIELD = ConfigKey.of(
          "weight.field",
          Domain.notBlank(),
          "The path of a weight of at least 0, which multiplies the gradient before the clip.")
      .optional();

  /** The largest weight. */
  public static final ConfigKey<Double> WEIGHT_MAX = ConfigKey.of(
          "weight.max",
          Domain.positive(),
          "The largest weight, from public knowledge; larger ones are cut to it. Automatic"
              + " steps need it.")
      .optional();

  public static final ConfigKey<String> UNIT_FROM = ConfigKey.of(
          "unit.from",
          Domain.oneOf(NOWHERE, FIELD, KEY),
          "Where the id of a privacy unit (a user, a device; with privacy.contribution"
              + " first-of-id, a record) is read: nowhere, a field (which a decoder of your own"
              + " reads itself), or the record's key. Records without it count as empty.")
      .orElse(NOWHERE);

  public static final ConfigKey<String> UNIT_FIELD = ConfigKey.of(
          "unit.field",
          Domain.notBlank(),
          "The path of the unit's id; an `Example` has fields of its own: `unit`, and with"
              + " first-of-id `id`.")
      .optional()
      .onlyWith(UNIT_FROM, FIELD);

  public static final ConfigKey<List<String>> UNIT_FIELDS = ConfigKey.of(
          "unit.fields",
          Domain.lists(
              "a list of 2 to 4 different fields",
              fields -> fields.size() >= 2
                  && fields.size() <= 4
                  && Set.copyOf(fields).size() == fields.size()
                  && fields.stream().noneMatch(String::isBlank)),
          "In place of unit.field, with privacy.unit key: the paths of the ids of all owners of a"
              + " record, as sender and receiver. It counts where each may still contribute, and is"
              + " charged to each (docs/privacy.md). Of plain JSON alone.")
      .optional()
      .onlyWith(UNIT_FROM, FIELD);

  /** Features of events whose fields are mapped, in the order of the manual. */
  public static final List<ConfigKey<?>> FEATURES = List.of(
      RANGES,
      RANGES_SLOTS,
      OCTAVES,
      HASH_BITS,
      HATS,
      NUMERIC_FIELD,
      NUMERIC_MIN,
      NUMERIC_MAX,
      NUMERIC_TRANSFORM,
      NUMERIC_OPTIONAL,
      CATEGORICAL_FIELD,
      CATEGORICAL_OPTIONAL,
      CROSS_FIELDS,
      CROSS_OPTIONAL);

  /** Label and weight of events whose fields are mapped, in the order of the manual. */
  public static final List<ConfigKey<?>> LABELS = List.of(
      LABEL_FIELD,
      LABEL_THRESHOLD,
      LABEL_CLASSES,
      ObjectiveSettings.LABEL_NAMES,
      LABEL_MIN,
      LABEL_MAX,
      WEIGHT_FIELD,
      WEIGHT_MAX);

  private FeatureKeys() {}

  /** Whether a setting lists classes, each as {@link ListedClass} reads it. */
  public static boolean listsClasses(String key) {
    return key.equals(LABEL_CLASSES.name()) || key.equals(ObjectiveSettings.LABEL_NAMES.name());
  }
}
