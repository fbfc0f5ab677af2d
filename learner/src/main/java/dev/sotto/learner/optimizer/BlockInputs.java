package dev.sotto.learner.optimizer;

import java.util.OptionalDouble;

/**
 * What an algorithm with a mechanism of its own follows from; all of it is public.
 *
 * @param slots of a block, or of a round, where somebody chose; 0 where nobody did
 * @param inParts whether several places sum their slots, so that these have no order
 * @param clip l2 bound of one gradient, where somebody chose it
 * @param noise sigma of one participation for each unit of the clip: {@code kappa / mu}, kappa
 *     being 2 where contents are replaced, and 1 where they become null slots
 * @param failure the most of a failure that a mechanism may have for one participation ({@link
 *     dev.sotto.learner.mechanism.Mechanism#failure})
 */
public record BlockInputs(
    LearningProblem problem,
    long slots,
    boolean inParts,
    OptionalDouble clip,
    double noise,
    double failure) {
  /** Number of weights. */
  public int dimension() {
    return problem.dimension();
  }

  /** The same for blocks of a number of slots. */
  public BlockInputs ofSlots(long chosen) {
    return new BlockInputs(problem, chosen, inParts, clip, noise, failure);
  }
}
