package dev.sotto.learner.mechanism;

import java.util.Set;

/**
 * How an audit has to look at what a mechanism releases, which follows from what a slot does to it.
 *
 * @param canaries what they look like
 * @param apart of how many slots at the beginning of a query each moves its answer by an amount of
 *     its own; 0 where all move it alike
 * @param blocks of one run, at most
 * @param takesAllWeights whether a slot takes time for all weights, not for its features alone
 * @param checks what else can go wrong with a single slot
 */
public record AuditTerms(
    Canaries canaries, long apart, long blocks, boolean takesAllWeights, Set<SlotCheck> checks) {

  /** Where slots are added up: gradients are cut, however long they are. */
  static final AuditTerms SUMS = sums(Set.of());

  /** Where slots are added up that secret coins choose. */
  static final AuditTerms SAMPLED_SUMS = sums(Set.of(SlotCheck.COINS));

  private static AuditTerms sums(Set<SlotCheck> checks) {
    return new AuditTerms(new Canaries(0x1p40, 0x1p40, 8192), 0, Long.MAX_VALUE, false, checks);
  }

  /**
   * Canaries, whose gradients are clipped.
   *
   * @param clips how long their gradients are, in clips
   * @param longer the same of every second one where what each slot of a block moves is compared
   * @param most of one run
   */
  public record Canaries(double clips, double longer, int most) {}

  /** A check of single slots that not every mechanism needs. */
  public enum SlotCheck {
    /** How far a slot moves the average of a path. */
    PATHS,
    /** Whether a slot is in a sum whole or not at all, as its coins say. */
    COINS
  }
}
