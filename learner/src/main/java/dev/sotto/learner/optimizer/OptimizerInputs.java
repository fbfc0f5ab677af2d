package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import java.util.Arrays;

/**
 * What an optimizer's settings are completed by.
 *
 * @param objective what is minimised
 * @param dimension number of weights
 * @param rounds how they are cut
 * @param clip l2 bound of one gradient, and so of a mean of them
 * @param noise of the sums of gradients
 * @param scale of the scores of the loss
 */
public record OptimizerInputs(
    NamedObjective objective,
    int dimension,
    RoundShape rounds,
    double clip,
    PrefixNoise noise,
    ScaleSource scale) {
  /** Slots in a round. */
  long batch() {
    return rounds.batch();
  }

  /** The weights at which the objective starts; null where these are zeros. */
  double[] center() {
    double[] start = new double[dimension];
    objective.objective().start(start);
    return Arrays.stream(start).allMatch(weight -> weight == 0) ? null : start;
  }
}
