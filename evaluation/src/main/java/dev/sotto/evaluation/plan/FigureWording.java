package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.text.FigureFormat.number;

import dev.sotto.learner.participation.Participation;

/** How rounds, rules and mechanisms of a forecast are written. */
public final class FigureWording {
  private FigureWording() {}

  /** A number of rounds in a sentence. */
  static String rounds(long rounds) {
    return rounds == PlanForecast.LIMIT
        ? "an endless stream"
        : rounds == 1 ? "1 round" : rounds + " rounds";
  }

  /** A rule of participation in a sentence. */
  static String participation(Participation rule) {
    if (rule instanceof Participation.Scheduled scheduled) {
      return "at most " + rounds(scheduled.bound().most()) + ", "
          + scheduled.bound().separation() + " apart";
    }
    if (rule instanceof Participation.Budgeted budgeted) {
      return "while its own budget lasts, mu " + number(budgeted.mu())
          + (budgeted.separation() == 1
              ? ""
              : ", in rounds at least " + budgeted.separation() + " apart");
    }
    return rule instanceof Participation.ById ? "one record per id" : "one record";
  }

  /** How close rounds of one unit may be, behind their number. */
  public static String spacing(Participation rule) {
    return rule instanceof Participation.Budgeted budgeted && budgeted.separation() > 1
        ? " that lie " + budgeted.separation() + " apart"
        : " in a row";
  }

  /** A mechanism, with a mark on the plan's own. */
  static String label(MechanismOption candidate) {
    return candidate.name() + (candidate.configured() ? " *" : "");
  }
}
