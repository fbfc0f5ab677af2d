package dev.sotto.evaluation.plan;

/** How rounds and mechanisms of a forecast are written. */
final class FigureWording {
  private FigureWording() {}

  /** A number of rounds in a sentence. */
  static String rounds(long rounds) {
    return rounds == PlanForecast.LIMIT
        ? "an endless stream"
        : rounds == 1 ? "1 round" : rounds + " rounds";
  }

  /** A mechanism, with a mark on the plan's own. */
  static String label(MechanismOption option) {
    return option.name() + (option.configured() ? " *" : "");
  }
}
