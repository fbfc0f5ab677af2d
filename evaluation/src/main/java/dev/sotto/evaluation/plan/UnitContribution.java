package dev.sotto.evaluation.plan;

import static dev.sotto.learner.description.FigureFormat.counted;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many records of one unit are learned from, and how many units it takes before the model is
 * more than noise. All of it follows from the plan and from numbers that everybody may know.
 */
public final class UnitContribution {
  /** Records of one unit, where nobody has said how many there are. */
  private static final long[] RECORDS = {10, 30, 100, 300, 1000};

  /** The sum whose noise is compared with contributions. */
  private static final long ROUNDS = 1000;

  /** What was learned of what there was, by units over {@link #needed}. */
  private static final String MEASURED =
      "Measured (docs/experiments/unit-defaults.md): 3 times as many teach next to nothing, 10"
          + " times 20 to 70 % of what there is, 100 times 70 to 90 %";

  private static final long MOST_RECORDS = 1_000_000; // a step each
  private static final long MOST_ROUNDS = 100_000;

  private final Plan plan;

  private UnitContribution(Plan plan) {
    this.plan = plan;
  }

  /**
   * For people and for programs: a row for each number of records of one unit; without rows where
   * every record is a unit.
   *
   * @param records of one unit, as publicly known
   * @param units that send records, one after the other, as publicly known
   */
  public static Section of(Plan plan, OptionalLong records, long units) {
    UnitContribution contribution = new UnitContribution(plan);
    Section section = Section.titled("What one unit contributes, and what it takes to learn");
    if (plan.participation().boundsKeys()) {
      section
          .append(contribution.tables(records, units))
          .lines(
              "Where " + counted(units, "unit") + " (--units) send a record in turn. What is not"
                  + " admitted fills its slot",
              "with nothing. " + PlanKeys.RECORDS + " says how many records a unit sends.");
    }
    contribution.needed().ifPresent(needed -> section.lines(contribution.worth(needed, units)));
    return section;
  }

  /** The same in a line or two, without a number of units. */
  public static Section inShort(Plan plan, OptionalLong records) {
    UnitContribution contribution = new UnitContribution(plan);
    Section section = Section.untitled();
    if (plan.participation().boundsKeys()) {
      StringBuilder text = new StringBuilder("learned from, of a unit's records: ");
      String next = "";
      for (long each : contribution.records(records)) {
        long admitted = Math.min(each, plan.account().roundsInARow(MOST_ROUNDS));
        text.append(next)
            .append(String.format(
                Locale.ROOT, "%,d of %,d (%s)", admitted, each, share(admitted, each)));
        next = ", ";
      }
      section.lines(text + "; more where they lie further apart (sotto plan --units N)");
    }
    contribution.needed().ifPresent(needed -> section.lines(contribution.worth(needed, 0)));
    return section;
  }

  /** How many of a unit's first records are learned from, in a sentence; 100 unless stated. */
  public static String sentence(Plan plan, OptionalLong records) {
    long all = records.orElse(100);
    long admitted = Math.min(all, plan.account().roundsInARow(MOST_ROUNDS));
    return "Of a unit's first " + counted(all, "record") + " "
        + String.format(Locale.ROOT, "%,d", admitted) + (admitted == 1 ? " is" : " are")
        + " learned from, and of later ones more (sotto plan --all).";
  }

  private long[] records(OptionalLong stated) {
    return stated.isPresent() ? new long[] {stated.getAsLong()} : RECORDS;
  }

  private Section tables(OptionalLong stated, long units) {
    Table all = new Table("units", List.of());
    Table shown = Table.headed(List.of("records of a unit", "learned from", "share"));
    for (long each : records(stated)) {
      long admitted = admitted(each, units);
      all.row(Section.untitled()
          .fact("kind", "units")
          .fact("records", each)
          .fact("admitted", admitted));
      shown.line(List.of(whole(each), whole(admitted), share(admitted, each)), "");
    }
    return Section.untitled().add(all).add(shown);
  }

  private static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Of a unit that sends one record in each stretch of slots. */
  private long admitted(long records, long every) {
    Optional<Admission> rule = plan.account().admission();
    byte[] history = null;
    long admitted = 0;
    for (long i = 0; i < Math.min(records, MOST_RECORDS); i++) {
      byte[] next = rule.orElseThrow().admit(history, i * every / plan.batch() + 1);
      if (next != null) {
        history = next;
        admitted++;
      }
    }
    return admitted;
  }

  private static String share(long part, long whole) {
    double percent = 100.0 * part / whole;
    return String.format(Locale.ROOT, percent >= 9.95 ? "%.0f %%" : "%.1f %%", percent);
  }

  /** Empty where an algorithm brings a mechanism of its own, which plan shows by itself. */
  private Optional<Double> needed() {
    return plan.mechanism().ofPrefixes().filter(any -> plan.sigma() > 0).map(this::needed);
  }

  /** The number with which all that they can add to a sum is as long as its noise. */
  private double needed(PrefixMechanism mechanism) {
    double noise =
        PrefixError.of(mechanism, plan.generations(), plan.sigma(), ROUNDS).std()
            * Math.sqrt(plan.dimension());
    boolean keys = plan.participation().boundsKeys();
    long each = keys ? plan.account().roundsInARow(MOST_ROUNDS) : 1;
    return noise / (plan.clip() * each);
  }

  private String worth(double needed, long units) {
    boolean keys = plan.participation().boundsKeys();
    String noise = String.format(
        Locale.ROOT,
        "the noise of %,d rounds is as long as all that %s can add to them",
        ROUNDS,
        counted((long) Math.ceil(needed), keys ? "unit" : "record"));
    return !keys
        ? noise + ": fewer teach nothing"
        : noise
            + (units == 0
                ? ""
                : String.format(
                    Locale.ROOT, "; %s are %.1f times as many", whole(units), units / needed))
            + ". " + MEASURED;
  }
}
