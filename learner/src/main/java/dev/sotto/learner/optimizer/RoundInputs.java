package dev.sotto.learner.optimizer;

/**
 * What the settings of an optimizer of rounds are completed by.
 *
 * @param batch slots in a round
 * @param lag rounds that are asked before the answer of an earlier one is known
 * @param clip l2 bound of one gradient, and so of a mean of them
 * @param noise of the sums of gradients
 */
public record RoundInputs(
    LearningProblem problem, long batch, int lag, double clip, PrefixNoise noise) {
  /** Number of weights. */
  int dimension() {
    return problem.dimension();
  }
}
