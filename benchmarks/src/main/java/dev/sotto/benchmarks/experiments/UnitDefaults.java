package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How many rounds a unit's budget should be made for, and how far apart they should lie: every choice
 * of a grid, and by how much of the base rate's loss it is above the best of the grid.
 */
final class UnitDefaults implements Experiment {
  private static final double[] EPSILONS = {0.5, 1, 4, 16};
  private static final long[] PARTICIPATIONS = {1, 2, 3, 4, 8, 16, 32, 64};
  private static final long[] SEPARATIONS = {0, 128, 256, 1024, 4096, 16384};
  private static final int SEEDS = 3;

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

  /** What a choice led to. */
  private record Measured(Choice choice, Plan plan, double loss, double later) {}

  @Override
  public String name() {
    return "unit-defaults";
  }

  /** How far a choice is above the best of its set and budget, as parts of the base rate's loss. */
  private record Excess(UnitSet.Units units, double all, double later) {}

  @Override
  public Outcome run(boolean quick) throws IOException {
    ResultTable all = new ResultTable(
        "set",
        "units",
        "epsilon",
        "rounds",
        "slots apart",
        "round",
        "sigma",
        "loss",
        "later half",
        "base rate");
    ResultTable summary = new ResultTable(
        "rounds",
        "slots apart",
        "recorded",
        "scattered",
        "sessions",
        "all",
        "largest",
        "recorded, later half",
        "all, later half",
        "largest, later half");
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          "unit-defaults: skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(summary, all, Map.of());
    }
    List<Choice> choices = quick ? List.of(new Choice(4, 0), new Choice(4, 1024)) : choices();
    Map<Choice, List<Excess>> excesses = new LinkedHashMap<>();
    for (UnitSet each : quick ? new UnitSet[] {UnitSet.SEA} : UnitSet.values()) {
      QualityRun run = new QualityRun(each.set, folder.get(), List.of());
      run.withUnits(each.units(folder.get(), run.count()));
      double base = base(each.set, folder.get());
      for (double epsilon : quick ? new double[] {1} : EPSILONS) {
        System.err.println("unit-defaults: " + each.label() + ", epsilon " + epsilon);
        List<Measured> measured = choices.parallelStream()
            .map(choice -> measured(run, epsilon, choice, quick ? 1 : SEEDS))
            .toList();
        add(each.units, measured, base, excesses);
        measured.forEach(one -> all.add(
            each.label(),
            each.units.name().toLowerCase(Locale.ROOT),
            epsilon,
            one.choice().rounds(),
            one.choice().slots(),
            one.plan().batch(),
            one.plan().sigma(),
            one.loss(),
            one.later(),
            base));
      }
    }
    excesses.forEach((choice, of) -> summary.add(
        choice.rounds(),
        choice.slots(),
        mean(of, each -> each.units() == UnitSet.Units.RECORDED, Excess::all),
        mean(of, each -> each.units() == UnitSet.Units.SCATTERED, Excess::all),
        mean(of, each -> each.units() == UnitSet.Units.SESSIONS, Excess::all),
        mean(of, each -> true, Excess::all),
        of.stream().mapToDouble(Excess::all).max().orElseThrow(),
        mean(of, each -> each.units() == UnitSet.Units.RECORDED, Excess::later),
        mean(of, each -> true, Excess::later),
        of.stream().mapToDouble(Excess::later).max().orElseThrow()));
    return new Outcome(summary, all, Map.of());
  }

  private static void add(
      UnitSet.Units units,
      List<Measured> measured,
      double base,
      Map<Choice, List<Excess>> excesses) {
    double best = measured.stream().mapToDouble(Measured::loss).min().orElseThrow();
    double bestLater = measured.stream().mapToDouble(Measured::later).min().orElseThrow();
    measured.forEach(one -> excesses
        .computeIfAbsent(one.choice(), any -> new ArrayList<>())
        .add(new Excess(units, (one.loss() - best) / base, (one.later() - bestLater) / base)));
  }

  /** Not a number where there are none. */
  private static double mean(
      List<Excess> of, Predicate<Excess> which, ToDoubleFunction<Excess> value) {
    return of.stream().filter(which).mapToDouble(value).average().orElse(Double.NaN);
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

  private static double base(QualitySet set, Path folder) throws IOException {
    JsonNode reference = set.reference(folder);
    return switch (set.loss) {
      case "squared" -> reference.get("running_mean_mse").asDouble() / 2;
      default -> reference.get("running_prior_logloss").asDouble();
    };
  }

  private static Measured measured(QualityRun run, double epsilon, Choice choice, int seeds) {
    Plan plan = run.plan(epsilon, choice.settings());
    List<QualityRun.Losses> losses =
        IntStream.rangeClosed(1, seeds).mapToObj(seed -> run.losses(plan, seed)).toList();
    return new Measured(
        choice,
        plan,
        losses.stream().mapToDouble(QualityRun.Losses::all).average().orElseThrow(),
        losses.stream().mapToDouble(QualityRun.Losses::later).average().orElseThrow());
  }
}
