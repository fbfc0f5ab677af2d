package dev.sotto.config.settings;

import static dev.sotto.serdes.feature.FeatureKeys.LABEL_CLASSES;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_MAX;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_MIN;
import static dev.sotto.serdes.feature.FeatureKeys.LABEL_THRESHOLD;

import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.LabelRule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a label means, by the one rule that is given for it; refuses what the loss cannot use. */
final class LabelRules {
  private static final ConfigKey<List<String>> LABEL_NAMES = ObjectiveSettings.LABEL_NAMES;

  private final Settings settings;

  LabelRules(Settings settings) {
    this.settings = settings;
  }

  LabelRule read() {
    boolean range = settings.isGiven(LABEL_MIN) || settings.isGiven(LABEL_MAX);
    List<ConfigKey<?>> rules =
        new ArrayList<>(Stream.of(LABEL_THRESHOLD, LABEL_CLASSES, LABEL_NAMES)
            .filter(settings::isGiven)
            .toList());
    rules.addAll(range ? List.of(LABEL_MIN, LABEL_MAX) : List.of());
    if (rules.size() > (range ? 2 : 1)) {
      List<String> others = rules.stream().skip(1).map(ConfigKey::name).toList();
      throw settings.reject(
          rules.get(0),
          "must be the only rule of the label, but so are " + String.join(", ", others)
              + "; remove all but one");
    }
    for (ConfigKey<?> bound : range ? rules : List.<ConfigKey<?>>of()) {
      if (!settings.isGiven(bound)) {
        throw settings.reject(
            bound, "must be given together with the other bound of the label, but is missing");
      }
    }
    LabelRule rule = rules.isEmpty() ? plain() : rule(rules.get(0));
    checkLoss(rule);
    return rule;
  }

  /**
   * Of a label without a rule. Whoever states a clip in the label's own unit knows how large labels
   * are: those stay as they are.
   */
  private LabelRule plain() {
    boolean measured = ObjectiveSettings.takesMeasured(settings)
        && settings.isUsable(FeatureKeys.RANGES)
        && settings.get(FeatureKeys.RANGES) == FeatureKeys.Ranges.PRIVATE
        && !settings.isGiven(PlanKeys.CLIP_NORM)
        && settings.isUsable(Optimizers.ALGORITHM)
        && settings.get(Optimizers.ALGORITHM).measuresLabels();
    return measured
        ? new LabelRule.Measured()
        : new LabelRule.AsItIs(ObjectiveSettings.hasTwoClasses(settings));
  }

  private LabelRule rule(ConfigKey<?> key) {
    if (key == LABEL_THRESHOLD) {
      return new LabelRule.Threshold(settings.get(LABEL_THRESHOLD));
    }
    if (key == LABEL_CLASSES) {
      return new LabelRule.Classes(settings.get(LABEL_CLASSES));
    }
    return key == LABEL_NAMES
        ? new LabelRule.Names(settings.get(LABEL_NAMES))
        : new LabelRule.Range(settings.get(LABEL_MIN), settings.get(LABEL_MAX));
  }

  /** Refuses labels that mean nothing to the loss. */
  private void checkLoss(LabelRule rule) {
    if (!settings.isUsable(ObjectiveSettings.LOSS)) {
      return;
    }
    boolean classes = ObjectiveSettings.hasClasses(settings);
    boolean binary = ObjectiveSettings.isBinary(settings);
    String absent = "must be absent with loss " + settings.get(ObjectiveSettings.LOSS);
    if (rule instanceof LabelRule.Names && !classes) {
      throw settings.reject(
          LABEL_NAMES,
          absent + ", whose labels are not numbers of classes; use " + LABEL_CLASSES
              + " for 1 and 0");
    }
    if (rule instanceof LabelRule.Range && (binary || classes)) {
      throw settings.reject(
          LABEL_MIN,
          absent
              + (binary
                  ? ", which needs labels of 0 and 1; use " + LABEL_THRESHOLD + " or "
                      + LABEL_CLASSES
                  : ", which needs numbers of classes; use " + LABEL_NAMES));
    }
  }
}
