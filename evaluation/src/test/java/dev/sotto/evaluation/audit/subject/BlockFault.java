package dev.sotto.evaluation.audit.subject;

/** A fault of a learner of blocks; docs/experiments/audits.md says where each comes from. */
public enum BlockFault {
  /** Nothing: the learner written by hand passes as the real one does. */
  NONE("none"),
  /**
   * The loop runs once more than there are batches, so that the last query reads the first batch
   * again.
   */
  ONE_BATCH_TOO_MANY("a loop that reads T + 1 batches"),
  /** Later passes read the first half of their slots twice, and the second half never. */
  OTHER_SLOTS_LATER("a later pass over other slots"),
  /** A pass ends behind the block, in the first slot of the next one. */
  INTO_THE_NEXT_BLOCK("a slot in two blocks"),
  /** The second slot of a unit in a block counts as the first does. */
  UNIT_TWICE("a unit in two slots of a block"),
  /** Differences of gradients are not cut: as if the loss were known to be smooth. */
  DIFFERENCE_NOT_CLIPPED("a difference without its clip"),
  /** A norm is counted in its bin and in all below: a vector longer than the clip. */
  COUNTED_IN_SEVERAL_BINS("a norm counted in several bins"),
  /** The clip follows the exact counts of norms: no noise is added to them. */
  EXACT_COUNTS("counts of norms without noise"),
  /** Noise for a mean over n / T examples, where a batch has n / T rounded down. */
  NOISE_FOR_MORE_SLOTS("noise for n/T rounded down"),
  /** All queries of a block get one draw of noise, each at its size. */
  NOISE_BY_BLOCK("one noise for all queries of a block"),
  /** All points of a query get one draw of noise. */
  NOISE_BY_QUERY("one noise for all points of a query"),
  /** Of the gradients of a slot only that at the first point is cut to the clip. */
  OTHER_POINTS_NOT_CLIPPED("gradients cut at one point only"),
  /** The coins of the first point decide for all points, which are charged as sampled apart. */
  ONE_SUBSET("one subset of slots for all points"),
  /** Sums are divided by the number of slots that were chosen: a slot moves what others add. */
  DIVIDE_BY_CHOSEN("sums divided by the number of chosen slots"),
  /** All queries of a block toss the same coins. */
  COINS_BY_BLOCK("the same coins in every query"),
  /** Coins follow from the key and the number of the query, whatever is in the block. */
  COINS_WITHOUT_CONTENT("coins that do not follow the content");

  private final String label;

  BlockFault(String label) {
    this.label = label;
  }

  /** A few words for reports. */
  public String label() {
    return label;
  }
}
