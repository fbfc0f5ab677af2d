package dev.sotto.evaluation.audit;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;

/** How many rounds of a plan an audit can afford. */
public final class AffordableRounds {
  private static final int WITHOUT_EVENTS = 128;
  private static final int MOST_ROUNDS = 1024;
  private static final long MOST_SLOTS = 1 << 19;
  private static final long MOST_DRAWS = 1 << 26; // of noise, in one run

  private AffordableRounds() {}

  /**
   * Rounds that the budget allows and the events fill; fewer where rounds are large. Where they are
   * blocks: at least two that the budget allows, whatever the events fill of them.
   *
   * @param events how many there are; 0 for none, where rounds are made of null slots and canaries
   */
  public static int rounds(Plan plan, long events) {
    if (plan.learnsFromBlocks()) {
      return (int)
          plan.lastRound(Math.min(plan.mechanism().auditTerms().blocks(), blocks(plan.block())));
    }
    long rounds = events < plan.batch() ? WITHOUT_EVENTS : events / plan.batch();
    rounds = Math.min(rounds, Math.max(8, MOST_SLOTS / plan.batch()));
    rounds = Math.min(rounds, Math.max(8, MOST_DRAWS / plan.dimension()));
    return (int) plan.lastRound(Math.min(rounds, MOST_ROUNDS));
  }

  /** Two blocks, so that there is something between them; more where they are few and cheap. */
  private static long blocks(QuerySchedule block) {
    long blocks = WITHOUT_EVENTS / block.queries();
    return Math.max(2, Math.min(blocks, MOST_SLOTS / Math.max(block.reads(), block.gradients())));
  }
}
