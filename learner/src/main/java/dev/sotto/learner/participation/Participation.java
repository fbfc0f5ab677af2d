package dev.sotto.learner.participation;

/**
 * The rule by which a unit's records are admitted to rounds; what it refuses fills its slot with
 * nothing.
 */
public sealed interface Participation {
  /** The rule in one line, the same for equal rules; part of a plan's fingerprint. */
  String describe();

  /**
   * The rule of a line that {@link #describe()} gave.
   *
   * @throws IllegalArgumentException for any other line
   */
  static Participation parse(String line) {
    String[] words = line.split("[ =]");
    try {
      return switch (words[0]) {
        case "once" -> new Once();
        case "first-of-id" -> new ById();
        case "scheduled" ->
          new Scheduled(new ContributionBound(Long.parseLong(words[2]), Long.parseLong(words[4])));
        case "budgeted" ->
          new Budgeted(
              Double.parseDouble(words[2]), words.length == 3 ? 1 : Long.parseLong(words[4]));
        default -> throw new IllegalArgumentException("unknown participation rule: " + line);
      };
    } catch (ArrayIndexOutOfBoundsException cut) {
      throw new IllegalArgumentException("a participation rule is cut off: " + line, cut);
    }
  }

  /** Every record is a unit of its own and lies in one slot; nothing needs to be remembered. */
  record Once() implements Participation {
    @Override
    public String describe() {
      return "once";
    }
  }

  /**
   * Records carry an id: the first of each id counts, for ever (docs/privacy.md, "Units and
   * neighbouring logs").
   */
  record ById() implements Participation {
    @Override
    public String describe() {
      return "first-of-id";
    }
  }

  /** At most k rounds of a unit, b apart (docs/privacy.md, "Contribution bounds"). */
  record Scheduled(ContributionBound bound) implements Participation {
    @Override
    public String describe() {
      return "scheduled most=" + bound.most() + " separation=" + bound.separation();
    }
  }

  /**
   * As long as what the unit has spent stays within a budget (docs/blt.md, "Budget per unit"), in
   * rounds that lie apart.
   *
   * @param mu the most that a unit may ever spend, all later rounds included; positive and finite
   * @param separation b, at least 1: rounds r and r + b may both hold the unit, r and r + b - 1 may
   *     not
   */
  record Budgeted(double mu, long separation) implements Participation {
    public Budgeted {
      if (!(mu > 0 && mu < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("mu must be positive and finite, but was " + mu);
      }
      if (separation < 1) {
        throw new IllegalArgumentException("separation must be at least 1, but was " + separation);
      }
    }

    /** Of rounds that may follow each other. */
    public Budgeted(double mu) {
      this(mu, 1);
    }

    /** The same separation under another budget. */
    public Budgeted withMu(double other) {
      return new Budgeted(other, separation);
    }

    /** The bound on a unit's rounds that holds whatever they cost. */
    public ContributionBound bound() {
      return new ContributionBound(Long.MAX_VALUE, separation);
    }

    /** Without a word on a separation of 1, as before there were others. */
    @Override
    public String describe() {
      return "budgeted mu=" + Double.toHexString(mu)
          + (separation == 1 ? "" : " separation=" + separation);
    }
  }
}
