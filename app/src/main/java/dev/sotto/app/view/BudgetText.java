package dev.sotto.app.view;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.participation.Participation;

/** Whose budget the figures of an entry are of, and what is left of it, in words. */
public final class BudgetText {
  private BudgetText() {}

  /**
   * Whether each unit has a budget of its own: it is counted as spent from the first versions on,
   * since it is reserved for all that the unit will ever send.
   */
  public static boolean isReserved(LedgerEntry entry) {
    return Participation.parse(entry.terms().participation()).isBudgeted();
  }

  /** In one line. */
  public static String of(LedgerEntry entry) {
    if (entry.last()) {
      return "the budget is spent: nothing more is learned";
    }
    if (isReserved(entry)) {
      return "each unit's own budget, reserved for all that it will ever send: learning goes on,"
          + " from units that have given less than they may";
    }
    String whose = entry.guarantee().unit().isId() ? "unit" : "record";
    return "for each " + whose
        + (Double.isInfinite(entry.budgetEpsilon())
            ? ""
            : "; " + GuaranteeFigures.down(entry.epsilonLeft(), 4) + " left of the budget of "
                + GuaranteeFigures.upShort(entry.budgetEpsilon(), 4));
  }
}
