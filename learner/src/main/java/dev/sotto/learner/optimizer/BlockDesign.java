package dev.sotto.learner.optimizer;

import dev.sotto.learner.mechanism.QueryMechanism;

/**
 * What an algorithm with a mechanism of its own decides before its noise is drawn.
 *
 * @param batch slots of a round: of a block, where it learns from blocks
 * @param clip l2 bound of what one slot adds to the sum of a query
 * @param mechanism of its own
 * @param optimizer that follows from the same numbers
 */
public record BlockDesign(long batch, double clip, QueryMechanism mechanism, Optimizer optimizer) {
  /** Of blocks. */
  public static BlockDesign of(BlockAlgorithm algorithm, QueryMechanism mechanism) {
    return new BlockDesign(algorithm.queries().slots(), algorithm.clip(), mechanism, algorithm);
  }
}
