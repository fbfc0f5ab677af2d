package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an algorithm with a mechanism of its own follows from; all of it is public.
 *
 * @param objective what is minimised
 * @param dimension number of weights
 * @param shape of a block, or of a round
 * @param clip l2 bound of one gradient, where somebody chose it
 * @param cost of one participation
 * @param scale of the scores of the loss
 */
public record BlockInputs(
    NamedObjective objective,
    int dimension,
    BlockShape shape,
    OptionalDouble clip,
    BlockNoise cost,
    ScaleSource scale) {
  /** Slots of a block, or of a round, where somebody chose; 0 where nobody did. */
  long slots() {
    return shape.slots();
  }

  /** Slots of a block: what somebody chose, or the usual number. */
  long slots(Settings settings, long usual) {
    long chosen = slots() > 0 ? slots() : settings.get(BlockKeys.SLOTS);
    return chosen > 0 ? chosen : usual;
  }

  /**
   * The l2 bound of a gradient that the loss has.
   *
   * @param key the setting to give where it has none
   * @param rule as in {@link ScaleSource#require}
   */
  double lossClip(ConfigKey<?> key, String rule) {
    Objective losses = objective.objective();
    Optional<StepScale> known = losses.stepScale(Double.POSITIVE_INFINITY);
    if (known.isPresent()) {
      return known.get().clip();
    }
    return losses.lipschitz() < Double.POSITIVE_INFINITY
        ? losses.lipschitz()
        : scale.require(key, rule).clip();
  }

  /** A ball around the start of the objective. */
  Ball ball(double radius) {
    double[] start = new double[dimension];
    objective.objective().start(start);
    boolean zero = Arrays.stream(start).allMatch(weight -> weight == 0);
    return new Ball(zero ? null : start, radius);
  }

  /** {@link BlockNoise#once()}. */
  double noise() {
    return cost.once();
  }

  /** {@link BlockNoise#failure()}. */
  double failure() {
    return cost.failure();
  }
}
