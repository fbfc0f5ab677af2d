package dev.sotto.learner.participation;

import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.learner.description.Section;
import java.util.Optional;

/**
 * The rule by which a unit's records are admitted to rounds; what it refuses fills its slot with
 * nothing.
 */
public sealed interface Participation {
  /** The rule in one line, the same for equal rules; part of a plan's fingerprint. */
  String describe();

  /** Whether something is remembered of a unit, since it may come again. */
  default boolean remembersUnits() {
    return true;
  }

  /** Whether units are keys, whose records may come into several rounds. */
  default boolean boundsKeys() {
    return true;
  }

  /** The bound on a unit's rounds that holds whatever they cost. */
  ContributionBound bound();

  /** The most mu that a unit may ever spend; infinite where its rounds are counted instead. */
  default double cap() {
    return Double.POSITIVE_INFINITY;
  }

  /** Whether each unit has a budget of its own, whatever the number of rounds. */
  default boolean isBudgeted() {
    return cap() < Double.POSITIVE_INFINITY;
  }

  /** The rule with larger, or smaller, budgets of units; the same where they have none. */
  default Participation withBudgets(double times) {
    return this;
  }

  /**
   * The rule that admits records to rounds; empty where every record is a unit of its own.
   *
   * @throws IllegalArgumentException where nobody could ever contribute
   */
  Optional<Admission> admission(RoundCosts costs);

  /** What a unit may contribute, as the end of a sentence. */
  String sentence();

  /** How close rounds of one unit may be, as words behind their number. */
  default String spacing() {
    return " in a row";
  }

  /** The rule in a plan, for people and for programs. */
  Section describe(RuleFigures plan);

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
    public boolean remembersUnits() {
      return false;
    }

    @Override
    public boolean boundsKeys() {
      return false;
    }

    @Override
    public ContributionBound bound() {
      return ContributionBound.ONE;
    }

    @Override
    public Optional<Admission> admission(RoundCosts costs) {
      return Optional.empty();
    }

    @Override
    public String sentence() {
      return "one record";
    }

    @Override
    public Section describe(RuleFigures plan) {
      return Section.untitled();
    }

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
    public boolean boundsKeys() {
      return false;
    }

    @Override
    public ContributionBound bound() {
      return ContributionBound.ONE;
    }

    @Override
    public Optional<Admission> admission(RoundCosts costs) {
      return Optional.of(AdmissionRules.firstOfId());
    }

    @Override
    public String sentence() {
      return "one record per id";
    }

    @Override
    public Section describe(RuleFigures plan) {
      return Section.untitled().lines("of each record id the first record counts, for ever");
    }

    @Override
    public String describe() {
      return "first-of-id";
    }
  }

  /** At most k rounds of a unit, b apart (docs/privacy.md, "Contribution bounds"). */
  record Scheduled(ContributionBound bound) implements Participation {
    @Override
    public Optional<Admission> admission(RoundCosts costs) {
      return Optional.of(AdmissionRules.scheduled(bound, costs.generations()));
    }

    @Override
    public String sentence() {
      long most = bound.most();
      String rounds =
          most == Long.MAX_VALUE ? "an endless stream" : most + (most == 1 ? " round" : " rounds");
      return "at most " + rounds + ", " + bound.separation() + " apart";
    }

    @Override
    public Section describe(RuleFigures plan) {
      return Section.untitled()
          .lines("each unit is admitted to at most " + bound.most() + " " + plan.round() + "s, "
              + bound.separation() + " or more apart");
    }

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

    @Override
    public Participation withBudgets(double times) {
      return new Budgeted(mu * times, separation);
    }

    @Override
    public ContributionBound bound() {
      return new ContributionBound(Long.MAX_VALUE, separation);
    }

    @Override
    public double cap() {
      return mu;
    }

    @Override
    public Optional<Admission> admission(RoundCosts costs) {
      return Optional.of(AdmissionRules.budgeted(
          this, costs.memory().orElseThrow(), costs.generations(), costs.model(), costs.metrics()));
    }

    @Override
    public String sentence() {
      return "while its own budget lasts, mu " + number(mu)
          + (separation == 1 ? "" : ", in rounds at least " + separation + " apart");
    }

    @Override
    public String spacing() {
      return separation == 1 ? Participation.super.spacing() : " that lie " + separation + " apart";
    }

    @Override
    public Section describe(RuleFigures plan) {
      return BudgetWording.of(this, plan);
    }

    /** Without a word on a separation of 1, as before there were others. */
    @Override
    public String describe() {
      return "budgeted mu=" + Double.toHexString(mu)
          + (separation == 1 ? "" : " separation=" + separation);
    }
  }
}
