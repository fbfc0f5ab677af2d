package dev.sotto.app.view;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QueryMechanism;
import java.util.Optional;

/** The rounds of ledger entries in words: how many slots, queries and passes they have. */
public final class BlockText {
  /** What two figures mean that stand beside each other where slots are sampled. */
  public static final String SAMPLED =
      "epsilon counts on secret sampling; mu is that of the same noise without it";

  private BlockText() {}

  /** Whether the epsilon of a ledger entry counts on secret sampling, unlike its mu. */
  public static boolean isSampled(LedgerEntry entry) {
    try {
      return mechanism(entry).filter(each -> !each.sampledSums().isEmpty()).isPresent();
    } catch (IllegalArgumentException unreadable) {
      return false;
    }
  }

  /**
   * The rounds of a ledger entry: {@code rounds of 64 slots}, or blocks with their queries.
   */
  public static String of(LedgerEntry entry) {
    long slots = entry.terms().batch();
    try {
      return mechanism(entry)
          .map(each -> each.rounds(slots))
          .orElse("rounds of " + slots + " slots");
    } catch (IllegalArgumentException unreadable) {
      return "blocks of " + slots + " slots, whose queries cannot be read";
    }
  }

  private static Optional<QueryMechanism> mechanism(LedgerEntry entry) {
    return Mechanisms.ofQueries(entry.guarantee().mechanism(), entry.terms().mechanismParameters());
  }
}
