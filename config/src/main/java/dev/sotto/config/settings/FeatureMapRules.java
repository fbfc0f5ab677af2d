package dev.sotto.config.settings;

import static dev.sotto.serdes.event.EventKeys.FORMAT;
import static dev.sotto.serdes.feature.FeatureKeys.CATEGORICAL_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.CATEGORICAL_OPTIONAL;
import static dev.sotto.serdes.feature.FeatureKeys.CROSS_FIELDS;
import static dev.sotto.serdes.feature.FeatureKeys.CROSS_OPTIONAL;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_MAX;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_MIN;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_OPTIONAL;
import static dev.sotto.serdes.feature.FeatureKeys.NUMERIC_TRANSFORM;
import static dev.sotto.serdes.feature.FeatureKeys.UNIT_FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.UNIT_FIELDS;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.topology.settings.LabelKeys;
import java.util.List;
import java.util.function.Supplier;

/** Builds the features, the label and the unit of events from their settings. */
final class FeatureMapRules {
  private final Settings settings;
  private boolean sound = true;

  FeatureMapRules(Settings settings) {
    this.settings = settings;
  }

  /** The map; refuses what does not go together, all faults at once. */
  FeatureMap map() {
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
      LabelRule rule = new LabelRules(settings).read();
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
}
