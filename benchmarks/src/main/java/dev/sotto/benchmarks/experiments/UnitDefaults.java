package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How many rounds a unit's budget should be made for, and how far apart they should lie: every
 * choice of a grid, and by how much of the base rate's loss it is above the best of the grid.
 */
final class UnitDefaults implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.5, 1.0, 4.0, 16.0);
  private static final long[] PARTICIPATIONS = {1, 2, 3, 4, 8, 16, 32, 64};
  private static final long[] SEPARATIONS = {0, 128, 256, 1024, 4096, 16384};
  private static final int LATER = 1; // the figure of the later half; 0 that of all records

  /** A number of rounds, and slots between them. */
  private record Choice(long rounds, long slots) {
    String[] settings() {
      return new String[] {
        "privacy.unit=key",
        "unit.from=key",
        PlanKeys.PARTICIPATIONS + "=" + rounds,
        PlanKeys.SEPARATION_SLOTS + "=" + slots
      };
    }
  }

  private record Case(UnitSet set, double epsilon, double base, Choice choice, Plan plan) {}

  /** How far a choice is above the best of its set and budget, as parts of the base rate's loss. */
  private record Excess(UnitSet.Units units, double all, double later) {}

  private record Row(Choice choice, List<Excess> of) {
    /** Of some units, or all where they are null; not a number where there are none. */
    double mean(UnitSet.Units which, ToDoubleFunction<Excess> value) {
      return of.stream()
          .filter(each -> which == null || each.units() == which)
          .mapToDouble(value)
          .average()
          .orElse(Double.NaN);
    }

    double largest(ToDoubleFunction<Excess> value) {
      return of.stream().mapToDouble(value).max().orElseThrow();
    }
  }

  @Override
  public String name() {
    return "unit-defaults";
  }

  @Override
  public String question() {
    return "In how many rounds should a unit take part, and how far apart?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Choice> choices = trials.choose(choices(), List.of(new Choice(4, 0), new Choice(4, 1024)));
    List<Measured<Case>> all = new ArrayList<>();
    Map<Choice, List<Excess>> excesses = new LinkedHashMap<>();
    for (UnitSet set : trials.choose(List.of(UnitSet.values()), List.of(UnitSet.SEA))) {
      QualityRun run = new QualityRun(set.set, trials.data(), List.of());
      run.withUnits(set.units(trials.data(), run.count()));
      double base = set.set.baseRate(trials.data());
      for (double epsilon : trials.choose(EPSILONS, List.of(1.0))) {
        List<Case> cases = choices.stream()
            .map(each -> new Case(set, epsilon, base, each, run.plan(epsilon, each.settings())))
            .toList();
        List<Measured<Case>> measured = trials.run(
            set.label() + ", epsilon " + epsilon,
            cases,
            trials.choose(3, 1),
            (each, seed) -> run.losses(each.plan(), 1 + seed));
        add(measured, excesses);
        all.addAll(measured);
      }
    }
    List<Row> rows = new ArrayList<>();
    excesses.forEach((choice, of) -> rows.add(new Row(choice, of)));
    return new Outcome(
        new Columns<Row>()
            .add("rounds", row -> row.choice().rounds())
            .add("slots apart", row -> row.choice().slots())
            .add("recorded", row -> row.mean(UnitSet.Units.RECORDED, Excess::all))
            .add("scattered", row -> row.mean(UnitSet.Units.SCATTERED, Excess::all))
            .add("sessions", row -> row.mean(UnitSet.Units.SESSIONS, Excess::all))
            .add("all", row -> row.mean(null, Excess::all))
            .add("largest", row -> row.largest(Excess::all))
            .add("recorded, later half", row -> row.mean(UnitSet.Units.RECORDED, Excess::later))
            .add("all, later half", row -> row.mean(null, Excess::later))
            .add("largest, later half", row -> row.largest(Excess::later))
            .of(rows),
        new Columns<Measured<Case>>()
            .add("set", each -> each.of().set().label())
            .add("units", each -> each.of().set().units.name().toLowerCase(Locale.ROOT))
            .add("epsilon", each -> each.of().epsilon())
            .add("rounds", each -> each.of().choice().rounds())
            .add("slots apart", each -> each.of().choice().slots())
            .add("round", each -> each.of().plan().batch())
            .add("sigma", each -> each.of().plan().sigma())
            .add("loss", each -> each.mean(0))
            .add("later half", each -> each.mean(LATER))
            .add("base rate", each -> each.of().base())
            .of(all),
        Map.of());
  }

  private static void add(List<Measured<Case>> measured, Map<Choice, List<Excess>> excesses) {
    double best = Measured.best(measured, 0).mean(0);
    double bestLater = Measured.best(measured, LATER).mean(LATER);
    measured.forEach(one -> excesses
        .computeIfAbsent(one.of().choice(), any -> new ArrayList<>())
        .add(new Excess(
            one.of().set().units,
            (one.mean(0) - best) / one.of().base(),
            (one.mean(LATER) - bestLater) / one.of().base())));
  }

  /** A unit that takes part once has no use for a separation. */
  private static List<Choice> choices() {
    List<Choice> choices = new ArrayList<>();
    for (long rounds : PARTICIPATIONS) {
      for (long slots : rounds == 1 ? new long[] {0} : SEPARATIONS) {
        choices.add(new Choice(rounds, slots));
      }
    }
    return choices;
  }
}
