package dev.sotto.config.settings;

import static dev.sotto.learner.training.PlanKeys.CLIP_NORM;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.optimizer.LearningProblem;
import dev.sotto.learner.optimizer.RoundSettings;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.feature.FeatureKeys;
import java.util.function.ToDoubleFunction;

/**
 * What is publicly known of a loss under the labels and weights of events.
 *
 * @param settings in which errors are recorded
 */
record KnownLoss(Settings settings, NamedObjective objective, EventMapping mapping) {
  /** What optimizers follow from. */
  LearningProblem problem() {
    return new LearningProblem(objective, dimension(), this::require);
  }

  /** Number of weights of the model. */
  int dimension() {
    try {
      return objective.objective().dimension(mapping.dimension());
    } catch (IllegalArgumentException tooMany) {
      throw settings.reject(FeatureKeys.ALL, "does not work: " + tooMany.getMessage());
    }
  }

  /** The bound of a gradient: what was given, or what suits the loss and the algorithm. */
  double clip(RoundSettings rounds) {
    return clip(rounds::clip);
  }

  /** Refuses a loss of which nothing bounds a gradient. */
  double requireClip() {
    return clip(StepScale::clip);
  }

  private double clip(ToDoubleFunction<StepScale> usual) {
    return settings.isGiven(CLIP_NORM)
        ? settings.get(CLIP_NORM)
        : usual.applyAsDouble(unweighted(CLIP_NORM, "must be given"));
  }

  private StepScale require(ConfigKey<?> key, String rule) {
    double weight = mapping.labels().largestWeight();
    if (weight == Double.POSITIVE_INFINITY) {
      throw settings.reject(
          FeatureKeys.WEIGHT_MAX,
          "must be given with " + FeatureKeys.WEIGHT_FIELD + ": the largest weight, from public"
              + " knowledge, since steps follow from it; or " + key + " " + rule);
    }
    return unweighted(key, rule).weighted(weight);
  }

  private StepScale unweighted(ConfigKey<?> key, String rule) {
    LabelBounds labels = mapping.labels();
    Objective losses = objective.objective();
    return (labels.measured() ? losses.measuredScale() : losses.stepScale(labels.range()))
        .orElseThrow(() -> settings.reject(
            key,
            rule + " with loss " + objective.name() + ", of which it is not known how large scores"
                + " and their errors are; "
                + (losses.measuredScale().isPresent() && settings.isGiven(CLIP_NORM)
                    ? "or remove " + CLIP_NORM + ", and the range of the labels is measured; "
                    : "")
                + "or give the range of the labels ("
                + FeatureKeys.LABEL_MIN + " and " + FeatureKeys.LABEL_MAX
                + "; of a loss of your own, finite bounds of slope and smoothness)"));
  }
}
