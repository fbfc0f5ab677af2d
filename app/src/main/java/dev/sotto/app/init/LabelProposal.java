package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.serdes.feature.FeatureKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * A loss with the rule of its label, for one field as the label.
 *
 * @param settings the loss first
 * @param reason what of the field speaks for it
 */
record LabelProposal(Map<ConfigKey<?>, Object> settings, String reason) {
  private static final int MOST_CLASSES = ValueStatistics.MOST_LISTED;
  private static final int MOST_NUMBERED_CLASSES = 10;
  private static final Set<String> POSITIVE =
      Set.of("yes", "y", "true", "t", "1", "on", "positive");

  /** What the loss of two classes reads without a list. */
  private static final Set<String> ONE = Set.of("1", "yes", "y", "true", "t", "on");

  private static final Set<String> ZERO = Set.of("0", "no", "n", "false", "f", "off");

  /** Marks of a missing label. Others, such as none and unknown, may well be classes. */
  private static final Set<String> MISSING = Set.of("na", "n/a", "nan", "null", "?");

  /**
   * For a field of a public sample, by its values; empty where none of them suits.
   *
   * @param measures whether the range of numbers may be left to be measured
   */
  static Optional<LabelProposal> ofValues(SampleField field, boolean measures) {
    ValueStatistics values = field.statistics().orElse(null);
    if (values == null || values.distinct() < 2) {
      return Optional.empty();
    }
    Optional<SortedMap<String, Long>> listed = values.listed();
    boolean number = field.type() == FieldType.NUMBER;
    if (listed.isPresent() && listed.get().keySet().stream().anyMatch(String::isBlank)) {
      return withoutBlank(listed.get().keySet());
    }
    if (listed.isPresent() && !number && listed.get().size() > 2) {
      List<String> marks =
          listed.get().keySet().stream().filter(LabelProposal::isMissing).toList();
      if (!marks.isEmpty() && listed.get().size() - marks.size() >= 2) {
        return withoutMarks(listed.get().keySet(), marks);
      }
    }
    if (listed.isPresent() && listed.get().size() > 2 && areTwo(listed.get().keySet())) {
      return Optional.of(
          of(Losses.LOGISTIC.configName(), Map.of(), "two classes, written in several ways"));
    }
    if (listed.isPresent() && listed.get().size() == 2) {
      return Optional.of(number ? twoNumbers(values) : twoTexts(listed.get()));
    }
    int most = number ? MOST_NUMBERED_CLASSES : MOST_CLASSES;
    if (listed.isPresent() && listed.get().size() <= most && (!number || values.isWhole())) {
      return Optional.of(classes(sorted(listed.get().keySet(), number)));
    }
    return number ? range(values, measures) : Optional.empty();
  }

  /** A label that is missing is no class. */
  private static Optional<LabelProposal> withoutMarks(Set<String> texts, List<String> marks) {
    List<String> names = texts.stream().filter(each -> !marks.contains(each)).toList();
    String dead = "; records with "
        + marks.stream().map(ConfigText::scalar).collect(Collectors.joining(" or "))
        + " become dead letters";
    return Optional.of(
        areTwo(names)
            ? of(Losses.LOGISTIC.configName(), Map.of(), String.join(" or ", names) + dead)
            : of(
                ObjectiveSettings.SOFTMAX,
                Map.of(ObjectiveSettings.LABEL_NAMES, names),
                names.size() + " classes" + dead));
  }

  private static boolean isMissing(String text) {
    return MISSING.contains(text.strip().toLowerCase(Locale.ROOT));
  }

  /** Whether all texts are spellings of 0 and 1 that need no list. */
  private static boolean areTwo(Collection<String> texts) {
    Set<String> small =
        texts.stream().map(each -> each.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    return small.stream().allMatch(each -> ONE.contains(each) || ZERO.contains(each))
        && small.stream().anyMatch(ONE::contains)
        && small.stream().anyMatch(ZERO::contains);
  }

  /** No class can be blank; among several others, a blank one must not count as one of two. */
  private static Optional<LabelProposal> withoutBlank(Set<String> texts) {
    List<String> names = texts.stream().filter(each -> !each.isBlank()).toList();
    if (names.size() == 1 && texts.size() == 2) {
      return Optional.of(of(
          Losses.LOGISTIC.configName(),
          Map.of(FeatureKeys.LABEL_CLASSES, names),
          "two values; the blank one counts as 0"));
    }
    return names.size() < 2 || names.size() > MOST_CLASSES
        ? Optional.empty()
        : Optional.of(of(
            ObjectiveSettings.SOFTMAX,
            Map.of(ObjectiveSettings.LABEL_NAMES, names),
            names.size() + " classes; records with a blank one become dead letters"));
  }

  /** For a field by its type alone; empty where that does not tell. */
  static Optional<LabelProposal> ofType(SampleField field) {
    if (field.type() == FieldType.BOOLEAN) {
      return Optional.of(of(Losses.LOGISTIC.configName(), Map.of(), "true or false"));
    }
    if (field.symbols().size() == 2) {
      return Optional.of(of(
          Losses.LOGISTIC.configName(),
          Map.of(FeatureKeys.LABEL_CLASSES, ConfigText.TO_DO),
          "the schema has two symbols, of which one is to count as 1: "
              + ConfigText.value("", field.symbols())));
    }
    return field.symbols().size() > 2 && field.symbols().size() <= MOST_CLASSES
        ? Optional.of(classes(field.symbols()))
        : Optional.empty();
  }

  private static LabelProposal of(String loss, Map<ConfigKey<?>, Object> rule, String reason) {
    Map<ConfigKey<?>, Object> all = new LinkedHashMap<>();
    all.put(ObjectiveSettings.LOSS, loss);
    all.putAll(rule);
    return new LabelProposal(all, reason);
  }

  private static LabelProposal twoNumbers(ValueStatistics values) {
    String loss = Losses.LOGISTIC.configName();
    if (values.min() == 0 && values.max() == 1) {
      return of(loss, Map.of(), "two values: 0 and 1");
    }
    double middle = values.min() + (values.max() - values.min()) / 2;
    return of(
        loss,
        Map.of(FeatureKeys.LABEL_THRESHOLD, middle),
        "two values, of which the larger counts as 1");
  }

  private static LabelProposal twoTexts(SortedMap<String, Long> values) {
    String first = values.firstKey();
    String last = values.lastKey();
    if (first.equals("false") && last.equals("true")) {
      return of(Losses.LOGISTIC.configName(), Map.of(), "true or false");
    }
    boolean takesFirst = isPositive(first) == isPositive(last)
        ? values.get(first) < values.get(last)
        : isPositive(first);
    return of(
        Losses.LOGISTIC.configName(),
        Map.of(FeatureKeys.LABEL_CLASSES, List.of(takesFirst ? first : last)),
        "two values; the other one, " + ConfigText.scalar(takesFirst ? last : first)
            + ", counts as 0");
  }

  private static boolean isPositive(String text) {
    return POSITIVE.contains(text.toLowerCase(Locale.ROOT));
  }

  private static List<String> sorted(Set<String> texts, boolean numbers) {
    List<String> sorted = new ArrayList<>(texts);
    if (numbers) {
      sorted.sort((a, b) -> Double.compare(Double.parseDouble(a), Double.parseDouble(b)));
    }
    return sorted;
  }

  private static LabelProposal classes(List<String> names) {
    return of(
        ObjectiveSettings.SOFTMAX,
        Map.of(ObjectiveSettings.LABEL_NAMES, names),
        names.size() + " classes");
  }

  private static Optional<LabelProposal> range(ValueStatistics values, boolean measures) {
    if (measures && values.isRangeBetterMeasured()) {
      return Optional.of(of(
          Losses.SQUARED.configName(),
          Map.of(),
          "numbers, whose range is measured in the first slots; classes by a threshold: loss"
              + " logistic"));
    }
    return Bounds.of(values).map(bounds -> {
      Map<ConfigKey<?>, Object> rule = new LinkedHashMap<>();
      rule.put(FeatureKeys.LABEL_MIN, bounds.minText());
      rule.put(FeatureKeys.LABEL_MAX, bounds.maxText());
      return of(
          Losses.SQUARED.configName(),
          rule,
          "numbers, scaled from these bounds to 0 and 1; classes by a threshold: loss logistic");
    });
  }

  /** Loss and rule on one line. */
  String line() {
    return settings.entrySet().stream()
        .map(each -> each.getKey() + ": " + ConfigText.value(each.getKey().name(), each.getValue()))
        .collect(Collectors.joining(", "));
  }
}
