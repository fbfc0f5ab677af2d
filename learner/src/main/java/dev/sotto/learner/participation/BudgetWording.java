package dev.sotto.learner.participation;

import static dev.sotto.learner.description.GuaranteeFigures.upShort;

import dev.sotto.learner.description.Section;
import java.math.BigInteger;

/** What a budget per unit means in a plan. */
final class BudgetWording {
  private static final long MOST_ROUNDS = 1_000_000; // a step each

  private BudgetWording() {}

  static Section of(Participation.Budgeted rule, RuleFigures plan) {
    long separation = rule.separation();
    long rounds = plan.roundsInARow().applyAsLong(MOST_ROUNDS);
    String found = rounds == MOST_ROUNDS ? "at least " + rounds : Long.toString(rounds);
    Section section = Section.untitled()
        .lines("each unit has a budget of its own, mu " + upShort(rule.mu(), 6) + " or epsilon "
            + upShort(plan.epsilon().applyAsDouble(rule.mu()), 6)
            + ", reserved for all that it will ever send: it is admitted to " + found + " "
            + plan.round() + (rounds == 1 ? "" : "s") + rule.spacing() + ", or to more that lie "
            + (separation == 1 ? "" : "further ") + "apart");
    if (separation > 1) {
      BigInteger slots = BigInteger.valueOf(separation).multiply(BigInteger.valueOf(plan.batch()));
      section.lines("never to two rounds that lie less than " + separation + " rounds apart, "
          + slots + " slots from the beginning of one to that of the other"
          + " (" + plan.separationKey() + ")");
    }
    return section;
  }
}
