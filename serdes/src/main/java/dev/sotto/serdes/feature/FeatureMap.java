package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Hats;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.UnboundedNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * From the fields of an event to a feature vector, a label, a weight and a privacy unit, by public
 * rules alone: nothing in it is learned from data.
 *
 * <p>Layout: the bias at coordinate 0 if on, the numbers in their order, each with its hats, those
 * without bounds in their order, each with its octaves and places, then 2^bits coordinates that the
 * categories and crosses share by hashing, if there are any. A number or boolean may be a
 * category: its text is its decimal digits if it is whole ({@code 5.0} is {@code 5}), {@code true}
 * or {@code false}, or {@code 0x} and the bits of the double.
 *
 * <p>A text may be a number: where one is due it is read as one ({@link TextNumber}), as a category
 * it is what it is. A field is found by its path ({@link FieldPaths}). Null is missing. Of several
 * faults of one record the status tells the first: unit, label, weight, features in their order.
 */
public final class FeatureMap {
  /** The longest id of a privacy unit, in bytes. */
  public static final int MAX_UNIT_BYTES = 1024;

  private static final int ABSENT = -1;

  private final FieldPaths paths;
  private final Feature[] features; // numbers with bounds first
  private final int numbers; // of those
  private final Hats hats;
  private final LabelReader label; // null where the map scores
  private final NormRule norm;
  private final boolean bias;
  private final boolean dense;
  private final boolean unitFromKey;
  private final int[] unitPlaces;
  private final List<String> owners;
  private final int weightPlace;
  private final double largestWeight;
  private final int dimension;
  private final UnboundedNumbers measured;
  private final List<NumberRange> ranges; // null where the learner's own complete the examples
  private final Map<String, Set<FieldUse>> uses;
  private final Set<String> optional;
  private final String text;

  FeatureMap(FeatureMapBuilder from, boolean scoring) {
    paths = new FieldPaths(from.comma, from.missing);
    bias = from.bias;
    norm = from.norm;
    numbers = from.numerics.size();
    hats = numbers == 0 ? Hats.ofBounds(0) : from.hats;
    dense = from.hashed.isEmpty() && from.unbounded.isEmpty() && hats.knots() == 0;
    List<Feature> all = new ArrayList<>();
    for (int i = 0; i < from.numerics.size(); i++) {
      all.add(
          NumericFeature.of(from.numerics.get(i), paths, from.coordinateOfNumber(i), from.hats));
    }
    int count = from.form.isMeasured() ? from.unbounded.size() : 0;
    NumberForm form = from.form.isMeasured() ? from.form : NumberForm.MEASURED; // of none
    boolean ofLabel = !scoring && from.labelRule instanceof LabelRule.Measured;
    measured = count == 0 && !ofLabel
        ? UnboundedNumbers.NONE
        : new UnboundedNumbers(count, from.coordinateOfUnbounded(0), norm, ofLabel, form);
    ranges = scoring ? from.rangesInOrder() : null;
    for (int i = 0; i < from.unbounded.size(); i++) {
      FeatureMapBuilder.Unbounded each = from.unbounded.get(i);
      int place = paths.place(each.field(), false);
      all.add(new UnboundedFeature(each, place, from.coordinateOfUnbounded(i), from.form, i));
    }
    from.hashed.forEach(
        each -> all.add(new HashedFeature(each, paths, from.firstHashed(), from.bits)));
    features = all.toArray(Feature[]::new);
    dimension = from.dimension();
    // An event that is scored has no label yet.
    label = scoring ? null : new LabelReader(from.labelField, from.labelRule, paths);
    largestWeight = from.largestWeight;
    weightPlace =
        scoring || from.weightField == null ? ABSENT : paths.place(from.weightField, false);
    unitFromKey = !scoring && from.unitFromKey;
    List<String> unitFields = scoring ? List.of() : from.unitFields;
    unitPlaces = unitFields.stream().mapToInt(field -> paths.place(field, true)).toArray();
    owners = unitFields.size() > 1 ? unitFields : List.of();
    uses = FieldUse.of(from, scoring);
    optional = FieldUse.optional(from);
    text = FeatureMapText.of(from);
  }

  /** A feature map with a bias and nothing else yet. */
  public static FeatureMapBuilder builder() {
    return new FeatureMapBuilder();
  }

  /** The number of coordinates. */
  public int dimension() {
    return dimension;
  }

  /**
   * The numbers whose ranges are measured: examples are whole once {@link
   * UnboundedNumbers#complete} has been called, which a map that scores does itself.
   */
  public UnboundedNumbers measured() {
    return measured;
  }

  /** The paths of the ids of all owners of a record; none where it has one unit, or none. */
  public List<String> owners() {
    return owners;
  }

  /** The names of its coordinates. */
  public FeatureNames names() {
    return new FeatureNames(features, bias);
  }

  /** The paths of the fields that it reads, each once. */
  public List<String> fields() {
    return paths.paths();
  }

  /** Those of them that a record does not have at all. */
  public List<String> absent(FieldValues values) {
    List<String> absent = new ArrayList<>(0);
    paths.forEach((path, place) -> {
      if (!values.has(place)) {
        absent.add(path);
      }
    });
    return absent;
  }

  /** Those of them that a record may be without. */
  public Set<String> optionalFields() {
    return uses.keySet().stream()
        .filter(each -> optional.contains(each) && !each.equals(labelField()))
        .collect(Collectors.toSet());
  }

  /** What each of those fields is read as. */
  public Map<String, Set<FieldUse>> uses() {
    return Collections.unmodifiableMap(uses);
  }

  /**
   * Which field a status on a record is about, what it must be and what it is, without its value;
   * empty where no field alone tells.
   *
   * @param values of the record
   */
  public Optional<String> fault(FieldValues values, RecordStatus status) {
    for (Map.Entry<String, Set<FieldUse>> each : uses.entrySet()) {
      int place = paths.placeOf(each.getKey());
      for (FieldUse use : each.getValue()) {
        boolean excused = status == RecordStatus.USED
            || status == RecordStatus.MISSING_FIELD && optional.contains(each.getKey());
        if (!excused && values.at(place, use) == status) {
          return Optional.of("field " + CanonicalText.quoted(each.getKey()) + " must be "
              + use.words() + ", but is " + values.words(place));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The canonical text, one setting a line: two maps that map any event differently differ in it.
   * Goes into the fingerprint of the configuration.
   */
  public String describe() {
    return text;
  }

  /** Which labels it has read; none of a map that scores. */
  public Optional<LabelTally> labels() {
    return Optional.ofNullable(label).map(LabelReader::tally);
  }

  /** The path of the label; null of a map that scores. */
  public String labelField() {
    return label == null ? null : label.field();
  }

  /** How its field becomes the label; null of a map that scores. */
  public LabelRule labelRule() {
    return label == null ? null : label.rule();
  }

  public FieldPaths paths() {
    return paths;
  }

  /** Maps one record's values into a slot. */
  public RecordStatus fill(byte[] key, FieldValues values, Slot into) {
    return fill(key, values, values, into);
  }

  /**
   * The same with the label of another record.
   *
   * @param labels its values, of the same paths; null for the label 0
   */
  public RecordStatus fill(byte[] key, FieldValues values, FieldValues labels, Slot into) {
    into.clear();
    RecordStatus status = unit(key, values, into);
    if (status == RecordStatus.USED) {
      status = example(values, labels, into.example());
    }
    if (status != RecordStatus.USED) {
      into.clear();
    }
    return into.status(status);
  }

  private RecordStatus unit(byte[] key, FieldValues values, Slot into) {
    if (unitFromKey) {
      return key == null ? RecordStatus.MISSING_FIELD : unit(key, 0, key.length, into);
    }
    RecordStatus status = RecordStatus.USED;
    for (int i = 0; i < unitPlaces.length && status == RecordStatus.USED; i++) {
      int place = unitPlaces[i];
      status = values.nameAt(place);
      if (status == RecordStatus.USED) {
        status = unit(values.texts(), values.start(place), values.length(place), into);
      }
    }
    return status;
  }

  private RecordStatus unit(byte[] bytes, int from, int length, Slot into) {
    if (length == 0) {
      return RecordStatus.MISSING_FIELD;
    }
    if (length > MAX_UNIT_BYTES) {
      return RecordStatus.TOO_LARGE;
    }
    if (owners.isEmpty()) { // owners are named by whoever reads the bytes
      into.unit(bytes, from, length);
    }
    return RecordStatus.USED;
  }

  private RecordStatus example(FieldValues values, FieldValues labels, Example example) {
    if (dense) {
      Arrays.fill(example.dense(), 0, dimension, 0);
    }
    if (!measured.isEmpty()) {
      example.awaitRanges(measured.count());
    }
    RecordStatus status = label == null ? RecordStatus.USED : label(labels, example);
    if (status == RecordStatus.USED && weightPlace != ABSENT) {
      status = weight(values, example);
    }
    if (bias) {
      example.append(0, 1);
    }
    if (hats.intervals() > 0) {
      values.numbers().clear();
    }
    for (int i = 0; i < numbers && status == RecordStatus.USED; i++) {
      status = features[i].addTo(example, values);
    }
    if (status == RecordStatus.USED && hats.intervals() > 0) {
      hats.add(example, values.numbers());
    }
    for (int i = numbers; i < features.length && status == RecordStatus.USED; i++) {
      status = features[i].addTo(example, values);
    }
    if (status != RecordStatus.USED) {
      return status;
    }
    if (measured.isEmpty()) {
      norm.apply(example);
    } else if (ranges != null) {
      measured.complete(example, ranges);
    }
    return example.isFinite() ? RecordStatus.USED : RecordStatus.NOT_FINITE;
  }

  private RecordStatus label(FieldValues labels, Example example) {
    if (labels == null) {
      example.label(0);
      return RecordStatus.USED;
    }
    return label.read(labels, example);
  }

  private RecordStatus weight(FieldValues values, Example example) {
    RecordStatus status = values.numberAt(weightPlace, false);
    if (status != RecordStatus.USED) {
      return status;
    }
    double weight = values.number(weightPlace);
    if (!(weight >= 0)) {
      return RecordStatus.WRONG_TYPE;
    }
    example.weight(Math.min(weight, largestWeight));
    return RecordStatus.USED;
  }
}
