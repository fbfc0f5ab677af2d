package dev.sotto.learner.accounting;

import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import java.util.Objects;

/**
 * Whose contribution is hidden, and how much of it there may be.
 *
 * @param unit whose contribution is hidden
 * @param participation how much a unit may contribute
 * @param generations when the algorithm restarts on fresh records, at its last weights
 */
public record AccountedContribution(
    PrivacyUnit unit, Participation participation, GenerationSchedule generations) {
  /** Every record is a unit of its own; one generation. */
  public static final AccountedContribution RECORDS = new AccountedContribution(
      PrivacyUnit.RECORD, new Participation.Once(), GenerationSchedule.NONE);

  public AccountedContribution {
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(participation, "participation");
    Objects.requireNonNull(generations, "generations");
  }

  /** The unit follows from the rule: keys where their contributions are bounded, else records. */
  public static AccountedContribution of(
      Participation participation, GenerationSchedule generations) {
    PrivacyUnit unit = participation.boundsKeys() ? PrivacyUnit.KEY : PrivacyUnit.RECORD;
    return new AccountedContribution(unit, participation, generations);
  }

  /** Refuses a unit that does not go with the rule. */
  void check() {
    if (participation.boundsKeys() != unit.isId()) {
      throw new IllegalArgumentException("unit " + unit.configName() + " and participation \""
          + participation.describe() + "\" do not go together");
    }
  }
}
