package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.evaluation.plan.QuietestSet;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What it gains to know the number of records beforehand: parameters of the noise as {@code sotto
 * learn} chooses them, others whose error after the last record is smallest, and the steps of
 * {@code learn} without noise.
 */
final class Horizon implements Experiment {
  private static final double OPEN = Double.POSITIVE_INFINITY; // epsilon without noise
  private static final List<Double> EPSILONS = List.of(0.25, 1.0, 4.0);
  private static final List<NumberEncoding> ENCODINGS =
      List.of(NumberEncoding.DEFAULTS, NumberEncoding.NO_BOUNDS);
  private static final int SEEDS = 2;
  private static final List<QualitySet> SETS = Arrays.stream(QualitySet.values())
      .filter(each -> each != QualitySet.FASHION && each != QualitySet.YEAR_R)
      .toList();
  private static final List<UnitSet> UNITS = List.of(
      UnitSet.YEAR_B,
      UnitSet.INCIDENTS,
      UnitSet.A9A,
      UnitSet.BANK,
      UnitSet.SEA,
      UnitSet.ELEC2,
      UnitSet.BIKE);
  private static final int TIMES = 10;
  private static final Set<QualitySet> OFTEN = EnumSet.of(
      QualitySet.ELEC2, QualitySet.A9A, QualitySet.SEA, QualitySet.INCIDENTS, QualitySet.COVTYPE);
  private static final String[] BY_KEY = {"privacy.unit=key", "unit.from=key"};

  /** How the noise is chosen. */
  enum Variant {
    STREAM("anytime"),
    ENDLESS("init"),
    FILE("learn"),
    END("least at the end"),
    SILENT("steps without noise");

    final String label;

    Variant(String label) {
      this.label = label;
    }
  }

  /**
   * Records to learn from.
   *
   * @param units whether somebody owns several of them
   * @param times how often they come, one after the other
   */
  record Records(String set, String numbers, boolean units, int times, QualityRun run) {
    /** The plans of a budget. */
    Map<Variant, Plan> plans(double epsilon) {
      Map<Variant, Plan> plans = new LinkedHashMap<>();
      Plan stream = run.plan(epsilon, units ? BY_KEY : new String[0]);
      PlanScenario endless = new PlanScenario(stream, PlanForecast.LIMIT, 0);
      QuietestSet quietest = QuietestSet.of(run.count(), endless);
      plans.put(Variant.STREAM, stream);
      plans.put(Variant.ENDLESS, plan(epsilon, stream, quietest.endless()));
      if (times > 1) {
        return plans;
      }
      Plan learn = plan(epsilon, stream, quietest.set());
      plans.put(Variant.FILE, learn);
      plans.put(
          Variant.END,
          Mechanisms.BLT.sets().stream()
              .map(set -> plan(epsilon, stream, set))
              .min(Comparator.comparingDouble(this::noise))
              .orElseThrow());
      if (!units) {
        plans.put(
            Variant.SILENT,
            QualityRun.withSteps(
                run.plan(OPEN, "batch.size=" + stream.batch()),
                ((PrivateFtrl) learn.optimizer()).steps()));
      }
      return plans;
    }

    /** In rounds of the same size. */
    private Plan plan(double epsilon, Plan stream, String set) {
      List<String> settings = new ArrayList<>(units ? List.of(BY_KEY) : List.of());
      settings.add("privacy.blt.set=" + set);
      settings.add("batch.size=" + stream.batch());
      return run.plan(epsilon, settings.toArray(String[]::new));
    }

    /** Of a coordinate of the sum of all rounds. */
    double noise(Plan plan) {
      PrefixMechanism mechanism = plan.mechanism().ofPrefixes().orElseThrow();
      return plan.sigma()
          * Math.sqrt(mechanism.prefixVariance((run.count() - 1) / plan.batch() + 1));
    }
  }

  /** One way to learn from them. */
  private record Case(Records records, double epsilon, Variant variant, Plan plan) {
    String set() {
      return plan.mechanism().set();
    }

    double noise() {
      return records.noise(plan);
    }
  }

  @Override
  public String name() {
    return "horizon";
  }

  @Override
  public String question() {
    return "What does it gain to know the number of records before the first?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    for (NumberEncoding encoding : ENCODINGS) {
      for (QualitySet set : trials.choose(SETS, List.of(QualitySet.SEA))) {
        QualityRun run = encoding.run(set, trials.data());
        all.addAll(measured(trials, new Records(set.label, encoding.label, false, 1, run)));
        if (encoding == NumberEncoding.DEFAULTS && OFTEN.contains(set)) {
          QualityRun often = run.repeated(TIMES);
          all.addAll(measured(trials, new Records(set.label, encoding.label, false, TIMES, often)));
        }
      }
    }
    for (UnitSet set : trials.choose(UNITS, List.of(UnitSet.SEA))) {
      QualityRun run = NumberEncoding.DEFAULTS.run(set.set, trials.data());
      run.withUnits(set.units(trials.data(), run.count()));
      String numbers = NumberEncoding.DEFAULTS.label;
      all.addAll(measured(trials, new Records(set.label(), numbers, true, 1, run)));
      if (OFTEN.contains(set.set)) {
        QualityRun often = run.repeated(TIMES);
        all.addAll(measured(trials, new Records(set.label(), numbers, true, TIMES, often)));
      }
    }
    return Outcome.of(table(all));
  }

  private static List<Measured<Case>> measured(Trials trials, Records records) {
    List<Case> cases = new ArrayList<>();
    for (double epsilon : trials.choose(EPSILONS, List.of(1.0))) {
      records
          .plans(epsilon)
          .forEach((variant, plan) -> cases.add(new Case(records, epsilon, variant, plan)));
    }
    return trials.run(
        records.set() + ", " + records.numbers() + (records.units() ? ", units" : "") + " x"
            + records.times(),
        cases,
        trials.choose(SEEDS, 1),
        (each, seed) -> records.run().losses(each.plan(), 1 + seed));
  }

  private static ResultTable table(List<Measured<Case>> all) {
    return new Columns<Measured<Case>>()
        .add("set", each -> each.of().records().set())
        .add("times", each -> each.of().records().times())
        .add("unit", each -> each.of().records().units() ? "key" : "record")
        .add("numbers", each -> each.of().records().numbers())
        .add("epsilon", each -> each.of().epsilon())
        .add("noise", each -> each.of().variant().label)
        .add("parameters", each -> each.of().set())
        .add("round", each -> each.of().plan().batch())
        .add("noise at the end", each -> each.of().noise())
        .add("loss", each -> each.mean(0))
        .add("loss +-", each -> each.error(0))
        .add("later half", each -> each.mean(1))
        .add("later half +-", each -> each.error(1))
        .of(all);
  }
}
