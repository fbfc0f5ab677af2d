package dev.sotto.learner.optimizer;

import dev.sotto.learner.mechanism.OwnMechanism;

/**
 * What an algorithm with a mechanism of its own decides before its noise is drawn.
 *
 * @param batch slots of a round: of a block, where it learns from blocks
 * @param clip l2 bound of what one slot adds to the sum of a query
 * @param mechanism of its own
 * @param optimizer that follows from the same numbers
 * @param reason why this form of the algorithm was chosen, as a sentence; empty where there was
 *     nothing to choose
 */
public record BlockDesign(
    long batch, double clip, OwnMechanism mechanism, Optimizer optimizer, String reason) {
  /** Without a choice. */
  public BlockDesign(long batch, double clip, OwnMechanism mechanism, Optimizer optimizer) {
    this(batch, clip, mechanism, optimizer, "");
  }

  /** The same with a reason. */
  BlockDesign because(String why) {
    return new BlockDesign(batch, clip, mechanism, optimizer, why);
  }
}
