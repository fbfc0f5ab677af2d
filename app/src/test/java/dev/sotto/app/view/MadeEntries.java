package dev.sotto.app.view;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import java.util.List;

/** Entries of a ledger as a learner of single records might have published them. */
public final class MadeEntries {
  private MadeEntries() {}

  /** The guarantee after some epsilon was spent. */
  static Guarantee guarantee(double epsilon) {
    return new Guarantee(
        PrivacyUnit.RECORD,
        Adjacency.ZERO_OUT,
        "blt",
        epsilon / 4,
        epsilon,
        1e-6,
        Math.max(0.5, epsilon / 4),
        Math.max(2, epsilon));
  }

  /** A version of a hundred slots for each round, from partition 0. */
  public static LedgerEntry entry(String model, long round, double epsilon, boolean last) {
    return entry(model, round, epsilon, last, 0);
  }

  static LedgerEntry entry(
      String model, long round, double epsilon, boolean last, double metricsRatio) {
    return new LedgerEntry(
        round,
        new byte[32],
        model,
        new byte[16],
        0,
        round,
        round,
        "private-ftrl",
        1,
        1,
        2,
        1,
        guarantee(epsilon),
        2,
        2 - epsilon,
        last,
        100 * round,
        0,
        List.of(new OffsetRange(0, 100 * (round - 1), 100 * round)),
        new byte[32],
        new byte[32],
        "key",
        1,
        new LedgerEntry.Terms("omega=1", "once", "none", metricsRatio, "gaussian-dp", 0, 100, 0));
  }
}
