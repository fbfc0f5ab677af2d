package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
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

  /** {@link BlockNoise#once()}. */
  double noise() {
    return cost.once();
  }

  /** {@link BlockNoise#failure()}. */
  double failure() {
    return cost.failure();
  }
}
