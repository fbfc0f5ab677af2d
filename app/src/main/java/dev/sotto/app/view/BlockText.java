package dev.sotto.app.view;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import java.util.Locale;

/** Blocks in words: how many slots, queries and passes they have. */
public final class BlockText {
  private BlockText() {}

  /** Such as {@code blocks of 8184 slots, 4000 queries each, 400 passes}. */
  public static String of(QuerySchedule queries) {
    return "blocks of " + queries.slots() + " slots, "
        + (queries.queries() == 1 ? "1 query" : queries.queries() + " queries") + " each, "
        + passes((double) queries.gradients() / queries.slots());
  }

  private static String passes(double passes) {
    return passes == 1
        ? "1 pass"
        : (passes == Math.rint(passes)
                ? String.format(Locale.ROOT, "%.0f", passes)
                : String.format(Locale.ROOT, "%.1f", passes))
            + " passes";
  }

  /**
   * The rounds of a ledger entry: {@code rounds of 64 slots}, or blocks with their queries; empty
   * where an entry of before does not say.
   */
  public static String of(LedgerEntry entry) {
    LedgerEntry.Terms terms = entry.terms();
    if (entry.guarantee().mechanism().equals(QueryNoise.NAME)) {
      try {
        return of(QuerySchedule.parse(terms.mechanismParameters()));
      } catch (IllegalArgumentException unreadable) {
        return "blocks of " + terms.batch() + " slots, whose queries cannot be read";
      }
    }
    return terms.batch() == 0 ? "" : "rounds of " + terms.batch() + " slots";
  }
}
