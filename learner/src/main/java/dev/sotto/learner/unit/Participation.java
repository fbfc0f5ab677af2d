package dev.sotto.learner.unit;

/** The rule by which a unit's records are admitted to rounds; what it refuses fills its slot with nothing. */
public sealed interface Participation {
  /** The rule in one line, the same for equal rules; part of a plan's fingerprint. */
  String describe();

  /** Every record is a unit of its own and lies in one slot; nothing needs to be remembered. */
  record Once() implements Participation {
    @Override
    public String describe() {
      return "once";
    }
  }

  /** Records carry an id: the first of each id counts, for ever (privacy.md section 2). */
  record ById() implements Participation {
    @Override
    public String describe() {
      return "first-of-id";
    }
  }

  /** At most k rounds of a unit, b apart (privacy.md section 5). */
  record Scheduled(Contributions bound) implements Participation {
    @Override
    public String describe() {
      return "scheduled most=" + bound.most() + " separation=" + bound.separation();
    }
  }

  /**
   * As long as the unit's own book stays within a budget (blt.md section 4).
   *
   * @param mu the most that a unit may ever spend, all later rounds included
   */
  record Budgeted(double mu) implements Participation {
    public Budgeted {
      if (!(mu > 0)) {
        throw new IllegalArgumentException("mu must be positive, but was " + mu);
      }
    }

    @Override
    public String describe() {
      return "budgeted mu=" + Double.toHexString(mu);
    }
  }
}
