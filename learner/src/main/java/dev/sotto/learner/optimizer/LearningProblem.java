package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.settings.ConfigKey;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is minimised, and what is known of it; all of it is public.
 *
 * @param dimension number of weights
 * @param known of the loss under the labels and weights of a plan
 */
public record LearningProblem(NamedObjective objective, int dimension, Known known) {
  /** What is known of the loss under the labels and weights of a plan. */
  @FunctionalInterface
  public interface Known {
    /**
     * What is known, all of it.
     *
     * @param key the setting to change where that is too little
     * @param rule the beginning of a sentence about it, such as "must be given"
     * @throws dev.sotto.learner.settings.InvalidSettingException then
     */
    StepScale require(ConfigKey<?> key, String rule);
  }

  /** {@link Known#require}. */
  public StepScale require(ConfigKey<?> key, String rule) {
    return known.require(key, rule);
  }

  /** The weights at which the objective starts; null where these are zeros. */
  public double[] center() {
    double[] start = new double[dimension];
    objective.objective().start(start);
    return Arrays.stream(start).allMatch(weight -> weight == 0) ? null : start;
  }

  /**
   * The l2 bound of a gradient that the loss has.
   *
   * @param key the setting to give where it has none
   * @param rule as in {@link Known#require}
   */
  public double lossClip(ConfigKey<?> key, String rule) {
    Objective losses = objective.objective();
    Optional<StepScale> whatever = losses.stepScale(Double.POSITIVE_INFINITY);
    if (whatever.isPresent()) {
      return whatever.get().clip();
    }
    return losses.lipschitz() < Double.POSITIVE_INFINITY
        ? losses.lipschitz()
        : require(key, rule).clip();
  }

  /**
   * The smoothness that the loss states of itself; empty where it has none, or where its curvature
   * is known whatever the labels are.
   */
  public OptionalDouble ownSmoothness() {
    Objective losses = objective.objective();
    boolean labelsMatter = losses.stepScale(Double.POSITIVE_INFINITY).isEmpty();
    return labelsMatter && losses.smoothness() < Double.POSITIVE_INFINITY
        ? OptionalDouble.of(losses.smoothness())
        : OptionalDouble.empty();
  }
}
