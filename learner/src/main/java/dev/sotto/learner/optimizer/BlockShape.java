package dev.sotto.learner.optimizer;

/**
 * What is known of a block, or of a round, before its algorithm designs it.
 *
 * @param slots where somebody chose; 0 where nobody did
 * @param inParts whether several places sum their slots, so that these have no order
 */
public record BlockShape(long slots, boolean inParts) {
  /** Of slots that come one after the other. */
  public static BlockShape inOrder(long slots) {
    return new BlockShape(slots, false);
  }
}
