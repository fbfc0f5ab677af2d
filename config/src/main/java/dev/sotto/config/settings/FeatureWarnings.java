package dev.sotto.config.settings;

import static dev.sotto.serdes.feature.FeatureKeys.CATEGORICAL_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.CROSS_FIELDS;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_FIELD;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Warns of features from which a model learns nothing: none at all, or the label itself. */
public final class FeatureWarnings {
  private FeatureWarnings() {}

  /** A warning where there is no feature, or for each that reads the label's field. */
  public static List<String> warnings(Settings settings) {
    if (!settings.isUsable(LABEL_FIELD)) {
      return List.of();
    }
    if (Stream.of(NUMERIC_FIELD, CATEGORICAL_FIELD, CROSS_FIELDS)
        .allMatch(family -> settings.names(family).isEmpty())) {
      return List.of("there is no feature, so the model is a constant: state features.numeric or"
          + " features.categorical");
    }
    String label = settings.get(LABEL_FIELD);
    return Stream.of(
            named(settings, NUMERIC_FIELD, label::equals),
            named(settings, CATEGORICAL_FIELD, label::equals),
            named(settings, CROSS_FIELDS, fields -> fields.contains(label)))
        .flatMap(found -> found)
        .map(key -> key + " reads " + label + ", which is " + LABEL_FIELD
            + " too: the model learns to repeat it, and nobody has it when a prediction is needed;"
            + " remove that feature")
        .toList();
  }

  private static <T> Stream<String> named(
      Settings settings, ConfigKey<T> family, Predicate<T> readsLabel) {
    return settings.names(family).stream()
        .map(family::named)
        .filter(key -> settings.isUsable(key) && readsLabel.test(settings.get(key)))
        .map(ConfigKey::name);
  }
}
