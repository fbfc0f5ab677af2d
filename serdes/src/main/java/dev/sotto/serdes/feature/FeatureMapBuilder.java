package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Hats;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.settings.ConfigError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Collects the settings of a {@link FeatureMap} as they are, and tells all their faults at once.
 */
public final class FeatureMapBuilder {
  /** The largest {@code features.hash.bits}. */
  public static final int MAX_BITS = 24;
  /** The largest {@code features.hats}. */
  public static final int MAX_HATS = 64;

  private static final int MAX_CROSSED = 8;

  /**
   * A number between public bounds.
   *
   * @param optional whether it may be missing, and contributes nothing then
   */
  public record Numeric(
      String name, String field, double min, double max, Transform transform, boolean optional) {}

  /**
   * A number without bounds.
   *
   * @param optional whether it may be missing, and contributes nothing then
   */
  public record Unbounded(String name, String field, boolean optional) {}

  /**
   * A category, or a cross of several.
   *
   * @param fields one for each of its values
   * @param optional whether a value may be missing, and it contributes nothing then
   */
  public record Hashed(String name, List<String> fields, boolean cross, boolean optional) {
    String key() {
      return (cross ? FeatureKeys.CROSS : FeatureKeys.CATEGORICAL) + name;
    }
  }

  final List<Numeric> numerics = new ArrayList<>();
  final List<Unbounded> unbounded = new ArrayList<>();
  final Map<String, NumberRange> ranges = new LinkedHashMap<>();
  final List<Hashed> hashed = new ArrayList<>();
  NumberForm form = NumberForm.OCTAVES;
  boolean bias = true;
  int bits = 16;
  Hats hats = Hats.ofBounds(0);
  NormRule norm = NormRule.SCALE;
  NumberComma comma = NumberComma.NONE;
  MissingMarks missing = MissingMarks.NONE;
  String labelField;
  LabelRule labelRule = new LabelRule.AsItIs();
  NumberRange labelRange; // null before it is measured
  String weightField;
  double largestWeight = Double.POSITIVE_INFINITY;
  List<String> unitFields = List.of(); // of the unit, or of all owners
  boolean unitFromKey;

  FeatureMapBuilder() {}

  /** Whether coordinate 0 is the constant 1 (before the norm rule); true unless said otherwise. */
  public FeatureMapBuilder bias(boolean on) {
    bias = on;
    return this;
  }

  /** The hashed block has 2^bits coordinates, bits from 1 to 24; 16 unless said otherwise. */
  public FeatureMapBuilder hashBits(int newBits) {
    bits = newBits;
    return this;
  }

  /**
   * Beside its linear coordinate each number has hats: into how many intervals their knots cut its
   * range, from 0, for no hats, to 64; 0 unless said otherwise.
   */
  public FeatureMapBuilder hats(int intervals) {
    hats = Hats.ofBounds(intervals);
    return this;
  }

  /** How vectors are brought to norm 1; {@link NormRule#SCALE} unless said otherwise. */
  public FeatureMapBuilder norm(NormRule rule) {
    norm = rule;
    return this;
  }

  /** What commas mean in texts that are to be numbers; {@link NumberComma#NONE} unless said. */
  public FeatureMapBuilder comma(NumberComma meaning) {
    comma = meaning;
    return this;
  }

  /** What stands for a missing number; {@link MissingMarks#NONE} unless said. */
  public FeatureMapBuilder missing(MissingMarks marks) {
    missing = marks;
    return this;
  }

  /** A number with public bounds, at the next coordinates. */
  public FeatureMapBuilder numeric(
      String name, String field, double min, double max, Transform transform, boolean optional) {
    numerics.add(new Numeric(name, field, min, max, transform, optional));
    return this;
  }

  /** A number without bounds, at the next coordinates. */
  public FeatureMapBuilder unbounded(String name, String field, boolean optional) {
    unbounded.add(new Unbounded(name, field, optional));
    return this;
  }

  /** Whether it has no number without bounds. */
  public boolean isBounded() {
    return unbounded.isEmpty();
  }

  /** How many numbers without bounds it has. */
  public int unbounded() {
    return unbounded.size();
  }

  /** {@link #form} of numbers whose ranges are measured, or of octaves alone. */
  public FeatureMapBuilder measured(boolean on) {
    return form(on ? NumberForm.MEASURED : NumberForm.OCTAVES);
  }

  /** The coordinates of numbers without bounds; {@link NumberForm#OCTAVES} unless said. */
  public FeatureMapBuilder form(NumberForm ofNumbers) {
    form = ofNumbers;
    return this;
  }

  /** The range of a number without bounds, which has been measured. */
  public FeatureMapBuilder range(String name, NumberRange range) {
    ranges.put(name, range);
    return this;
  }

  /** A category. */
  public FeatureMapBuilder categorical(String name, String field, boolean optional) {
    var fields = new ArrayList<String>();
    fields.add(field);
    hashed.add(new Hashed(name, fields, false, optional));
    return this;
  }

  /** A cross of 2 to 8 categories; if optional, one missing value makes it contribute nothing. */
  public FeatureMapBuilder cross(String name, List<String> fields, boolean optional) {
    hashed.add(
        new Hashed(name, fields == null ? List.of() : new ArrayList<>(fields), true, optional));
    return this;
  }

  /** The label. */
  public FeatureMapBuilder label(String field, LabelRule rule) {
    labelField = field;
    labelRule = rule;
    return this;
  }

  /** The range of the label, which has been measured. */
  public FeatureMapBuilder labelRange(NumberRange range) {
    labelRange = range;
    return this;
  }

  /** {@link #weight(String, double)} of any size. */
  public FeatureMapBuilder weight(String field) {
    return weight(field, Double.POSITIVE_INFINITY);
  }

  /**
   * The weight, a number of at least 0 that every record must have.
   *
   * @param largest positive; weights above it are cut to it
   */
  public FeatureMapBuilder weight(String field, double largest) {
    weightField = field;
    largestWeight = largest;
    return this;
  }

  /** The privacy unit's id is a field of the value: text or an integer. */
  public FeatureMapBuilder unitField(String field) {
    unitFields = List.of(field);
    return this;
  }

  /** A record has an owner for each of 2 to 4 fields, of texts or integers. */
  public FeatureMapBuilder unitFields(List<String> fields) {
    unitFields = List.copyOf(fields);
    return this;
  }

  /** The privacy unit's id is the record's key, byte for byte. */
  public FeatureMapBuilder unitFromKey() {
    unitFromKey = true;
    return this;
  }

  /** The coordinate of a number itself; its hats follow. */
  int coordinateOfNumber(int number) {
    return (bias ? 1 : 0) + number * (1 + hats.knots());
  }

  /** The ranges in the order of their numbers; none before they are measured. */
  List<NumberRange> rangesInOrder() {
    return ranges.isEmpty()
        ? List.of()
        : unbounded.stream()
            .map(each -> ranges.getOrDefault(each.name(), NumberRange.UNKNOWN))
            .toList();
  }

  /** How many coordinates each number without bounds has. */
  int weightsOfUnbounded() {
    return form.count();
  }

  /** The first coordinate of a number without bounds. */
  int coordinateOfUnbounded(int number) {
    return coordinateOfNumber(numerics.size()) + number * weightsOfUnbounded();
  }

  /** The first coordinate behind the numbers. */
  int firstHashed() {
    return coordinateOfUnbounded(unbounded.size());
  }

  /** The number of coordinates. */
  int dimension() {
    return firstHashed() + (hashed.isEmpty() ? 0 : 1 << bits);
  }

  /**
   * Every fault of the settings, each with its key, the rule and the value; empty if there is none.
   */
  public List<ConfigError> problems() {
    var problems = new ArrayList<ConfigError>();
    checkFeatures(problems);
    if (norm == null) {
      problems.add(missing(FeatureKeys.NORM.name(), "be scale or clip"));
    }
    FeatureChecks.path(problems, FeatureKeys.LABEL_FIELD.name(), labelField);
    if (labelRule == null) {
      problems.add(missing("label.rule", "be given"));
    } else {
      problems.addAll(labelRule.problems());
    }
    if (weightField != null) {
      FeatureChecks.path(problems, FeatureKeys.WEIGHT_FIELD.name(), weightField);
    }
    String key = (unitFields.size() > 1 ? FeatureKeys.UNIT_FIELDS : FeatureKeys.UNIT_FIELD).name();
    unitFields.forEach(field -> FeatureChecks.path(problems, key, field));
    if (!unitFields.isEmpty() && unitFromKey) {
      problems.add(new ConfigError(
          key,
          "must be absent where the unit is the record's key, but was "
              + unitFields.stream().map(CanonicalText::quoted).collect(Collectors.joining(", "))));
    }
    return problems;
  }

  private void checkFeatures(List<ConfigError> problems) {
    var names = new HashSet<String>();
    for (Numeric n : numerics) {
      String key = FeatureKeys.NUMERIC + n.name();
      checkName(problems, names, key, n.name());
      FeatureChecks.path(problems, key + ".field", n.field());
      if (n.transform() == null) {
        problems.add(missing(key + ".transform", "be identity or log1p"));
      } else {
        FeatureChecks.bounds(problems, key, n.min(), n.max(), n.transform());
      }
    }
    for (Unbounded u : unbounded) {
      String key = FeatureKeys.NUMERIC + u.name();
      checkName(problems, names, key, u.name());
      FeatureChecks.path(problems, key + ".field", u.field());
    }
    for (Hashed h : hashed) {
      checkName(problems, names, h.key(), h.name());
      h.fields()
          .forEach(
              f -> FeatureChecks.path(problems, h.key() + (h.cross() ? ".fields" : ".field"), f));
      if (h.cross() && (h.fields().size() < 2 || h.fields().size() > MAX_CROSSED)) {
        problems.add(new ConfigError(
            h.key() + ".fields",
            "must name 2 to " + MAX_CROSSED + " fields, but named " + h.fields().size()));
      }
    }
    if (!bias && numerics.isEmpty() && unbounded.isEmpty() && hashed.isEmpty()) {
      problems.add(
          new ConfigError(FeatureKeys.ALL, "must hold a feature or the bias, but was empty"));
    }
    if (!(hats.intervals() >= 0 && hats.intervals() <= MAX_HATS)) {
      problems.add(new ConfigError(
          FeatureKeys.HATS.name(),
          "must lie in 0 to " + MAX_HATS + ", but was " + hats.intervals()));
    }
    if (!hashed.isEmpty() && !(bits >= 1 && bits <= MAX_BITS)) {
      problems.add(new ConfigError(
          FeatureKeys.HASH_BITS.name(), "must lie in 1 to " + MAX_BITS + ", but was " + bits));
    }
  }

  private static ConfigError missing(String key, String rule) {
    return new ConfigError(key, "must " + rule + ", but was missing");
  }

  private static void checkName(
      List<ConfigError> problems, HashSet<String> names, String key, String name) {
    FeatureChecks.name(problems, key, name);
    if (!names.add(name)) {
      problems.add(new ConfigError(
          key, "must have a name of its own, but another feature is called " + name));
    }
  }

  /**
   * The feature map.
   *
   * @throws IllegalArgumentException with all {@link #problems()}, one per line
   */
  public FeatureMap build() {
    ConfigError.refuse(problems());
    return new FeatureMap(this, false);
  }

  /**
   * The feature map for events that are scored: it looks at no label, weight or unit, and gives
   * each example the label 0.
   *
   * @throws IllegalArgumentException as {@link #build()}
   */
  public FeatureMap buildForScoring() {
    ConfigError.refuse(problems());
    return new FeatureMap(this, true);
  }
}
