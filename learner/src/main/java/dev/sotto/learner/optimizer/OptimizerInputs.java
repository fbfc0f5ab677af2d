package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import java.util.Arrays;

/**
 * What an optimizer's settings are completed by.
 *
 * @param objective what is minimised
 * @param dimension number of weights
 * @param batch slots in a round
 * @param clip l2 bound of one gradient, and so of a mean of them
 * @param noise of the sums of gradients
 * @param scale of the scores of the loss
 * @param lag rounds that are asked before the answer of an earlier one is known
 */
public record OptimizerInputs(
    NamedObjective objective,
    int dimension,
    long batch,
    double clip,
    PrefixNoise noise,
    ScaleSource scale,
    int lag) {
  /** The weights at which the objective starts; null where these are zeros. */
  double[] center() {
    double[] start = new double[dimension];
    objective.objective().start(start);
    return Arrays.stream(start).allMatch(weight -> weight == 0) ? null : start;
  }
}
