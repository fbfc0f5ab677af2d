package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.FeatureNames;
import dev.sotto.serdes.feature.LabelRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The features: numbers, which need no bounds, categories by hashing, and what is commented out and
 * why.
 */
final class FeatureSection {
  private static final int FEWEST_BITS = 4;
  private static final int MOST_BITS = 16;
  private static final int COORDINATES_PER_VALUE = 4;
  private static final int MORE_BITS = 4; // so that no two of few values share a coordinate
  private static final int SHOWN = 60;

  private final ConfigLines lines;
  private final Sample sample;
  private final boolean isPublic;
  private final Map<SampleField, String> names = new LinkedHashMap<>();
  private final List<SampleField> unreadable = new ArrayList<>();

  /** Of all fields but those that have another use. */
  FeatureSection(Sample sample, Predicate<SampleField> otherUse, ConfigLines lines) {
    this.lines = lines;
    this.sample = sample;
    this.isPublic = sample.isPublic();
    for (SampleField each : sample.fields()) {
      if (FieldHints.unreadable(each).isPresent()) {
        unreadable.add(each);
      } else if (!otherUse.test(each)) {
        names.put(each, "");
      }
    }
    UniqueFeatureNames free = new UniqueFeatureNames();
    names.replaceAll((each, none) -> out(each).isEmpty() ? free.of(each) : none);
    // Behind all others, whose names must not depend on a field that few records have.
    names.replaceAll((each, name) -> name.isEmpty() ? free.of(each) : name);
  }

  /** Why a field is commented out; empty where it is a feature. */
  private Optional<String> out(SampleField field) {
    return sample
        .doubt(field)
        .map(why -> ConfigText.TO_DO + ": " + why)
        .or(() -> FieldHints.noFeature(field));
  }

  void write() {
    lines.comment("What the model sees. Remove what it should not: above all the label, and what is"
        + " known only after it. With optional: true a record without the field still counts.");
    group(
        FeatureKeys.NUMERIC_FIELD,
        each -> each.type() == FieldType.NUMBER,
        isPublic
            ? "Numbers. Their ranges are measured under the budget (docs/numbers.md), unless"
                + " bounds are stated; those of the sample stand after them. A number of few"
                + " whole values may do better as a category: below."
            : "Numbers. Their ranges are measured under the budget (docs/numbers.md), unless bounds"
                + " are stated that are known without looking at records: min: 0, max: 120 for an"
                + " age.");
    group(
        FeatureKeys.CATEGORICAL_FIELD,
        each -> each.type().isCategory(),
        "Categories: the text of the value is hashed, so no list of values is needed.");
    hashBits();
    if (!unreadable.isEmpty()) {
      lines.gap().comment("Fields that cannot be features:");
      unreadable.forEach(each -> lines.item(ConfigText.scalar(each.path()) + ": "
          + FieldHints.unreadable(each).orElseThrow()
          + sample.doubt(each).map(why -> "; " + ConfigText.TO_DO + ": " + why).orElse("")));
    }
  }

  private void group(ConfigKey<String> family, Predicate<SampleField> belongs, String comment) {
    List<SampleField> members = names.keySet().stream().filter(belongs).toList();
    List<SampleField> kept =
        members.stream().filter(each -> out(each).isEmpty()).toList();
    if (members.isEmpty()) {
      return;
    }
    lines.gap().comment(comment);
    if (!kept.isEmpty()) {
      lines.family(family);
      kept.forEach(each -> member(family, each, note(each), false));
    }
    for (SampleField each : members) {
      out(each).ifPresent(why -> member(family, each, why, true));
    }
  }

  private void member(ConfigKey<String> family, SampleField field, String comment, boolean out) {
    Map<ConfigKey<?>, Object> settings = new LinkedHashMap<>();
    settings.put(family, field.path());
    boolean numeric = family == FeatureKeys.NUMERIC_FIELD;
    if (field.isOptional()) {
      settings.put(numeric ? FeatureKeys.NUMERIC_OPTIONAL : FeatureKeys.CATEGORICAL_OPTIONAL, true);
    }
    String name = names.get(field);
    if (out) { // a line that stands alone, below whichever heading
      name = family.head() + name;
    }
    lines.member(name, settings, comment, out);
  }

  /** What the values of a public sample say; empty where they are private. */
  private static String note(SampleField field) {
    if (field.statistics().isEmpty()) {
      return field.symbols().isEmpty()
          ? field.type() == FieldType.MIXED ? field.type().words() : ""
          : "one of " + shown(field.symbols());
    }
    ValueStatistics values = field.statistics().get();
    if (field.type() == FieldType.NUMBER) {
      return field.isOfSeveralTypes()
          ? "with gaps: " + field.kinds() + ", where the record becomes a dead letter"
          : number(values) + missing(field);
    }
    String count = values.distinct() + " values";
    return values.listed().map(each -> count + ": " + shown(each.keySet())).orElse(count);
  }

  private static String missing(SampleField field) {
    return field.missing() == 0
        ? ""
        : String.format(Locale.ROOT, "; missing in %,d records (NA and the like)", field.missing());
  }

  private static String number(ValueStatistics values) {
    String bounds = Bounds.of(values)
        .map(each -> "min: " + each.minText() + ", max: " + each.maxText())
        .orElse("");
    return values.isWhole() && values.listed().isPresent() && values.distinct() > 2
        ? bounds + "; " + values.distinct() + " whole values"
        : bounds;
  }

  private static String shown(Iterable<String> texts) {
    StringBuilder shown = new StringBuilder();
    for (String each : texts) {
      String next = ConfigText.scalar(each);
      if (shown.length() + next.length() > SHOWN) {
        return shown.append(shown.length() == 0 ? "" : ", ").append("...").toString();
      }
      shown.append(shown.length() == 0 ? "" : ", ").append(next);
    }
    return shown.toString();
  }

  private void hashBits() {
    List<SampleField> categories = names.keySet().stream()
        .filter(each -> each.type().isCategory() && out(each).isEmpty())
        .toList();
    if (categories.isEmpty()) {
      return;
    }
    if (categories.stream().anyMatch(each -> each.knownValues().isEmpty())) {
      lines.comment("They share 2^bits coordinates. Where few values are known to exist, fewer"
          + " coordinates drown less in noise: four for each value are enough.");
      lines.suggested(FeatureKeys.HASH_BITS, FeatureKeys.HASH_BITS.standard(), "the default");
      return;
    }
    long values =
        categories.stream().mapToLong(each -> each.knownValues().get()).sum();
    int bits = FEWEST_BITS;
    while (bits < MOST_BITS && 1L << bits < COORDINATES_PER_VALUE * values) {
      bits++;
    }
    int most = Math.min(MOST_BITS, bits + MORE_BITS);
    int apart = bits;
    while (apart < most && shareCoordinates(categories, apart)) {
      apart++;
    }
    lines.setting(
        FeatureKeys.HASH_BITS,
        apart,
        "2^" + apart + " coordinates for the " + values + " values of all categories"
            + (apart > bits ? ", no two in one" : ""));
  }

  /** Whether two values share a coordinate, of categories whose values are all listed. */
  private boolean shareCoordinates(List<SampleField> categories, int bits) {
    FeatureMapBuilder builder = FeatureMap.builder().bias(false).hashBits(bits);
    categories.forEach(each -> builder.categorical(names.get(each), names.get(each), true));
    FeatureNames places =
        builder.label("a label", new LabelRule.AsItIs()).build().names();
    Set<Integer> taken = new HashSet<>();
    for (SampleField each : categories) {
      for (String value : listed(each)) {
        if (!taken.add(places.place(names.get(each), value).coordinate())) {
          return true;
        }
      }
    }
    return false;
  }

  private static Collection<String> listed(SampleField field) {
    return field
        .statistics()
        .flatMap(ValueStatistics::listed)
        .<Collection<String>>map(Map::keySet)
        .orElse(field.symbols());
  }
}
