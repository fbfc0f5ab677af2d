package dev.sotto.benchmarks.experiments;

import dev.sotto.evaluation.plan.RangesOfFile;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.feature.FeatureKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Of how many records of a file ranges are best measured, where the others learn from them. */
final class ShortFiles implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.25, 1.0, 4.0);
  private static final List<Integer> RECORDS = List.of(1_500, 4_000, 8_000, Integer.MAX_VALUE);
  private static final List<Integer> PARTS = List.of(3, 5, 10, 20);
  private static final int SEEDS = 4;
  private static final List<QualitySet> SETS = List.of(
      QualitySet.ELEC2,
      QualitySet.A9A,
      QualitySet.BANK,
      QualitySet.SEA,
      QualitySet.FLIGHTS_A,
      QualitySet.FLIGHTS_B,
      QualitySet.COVTYPE,
      QualitySet.FASHION,
      QualitySet.HOUSING,
      QualitySet.BIKE);

  private static final List<UnitSet> UNITS =
      List.of(UnitSet.A9A, UnitSet.BANK, UnitSet.SEA, UnitSet.ELEC2, UnitSet.BIKE);
  private static final String[] BY_KEY = {"privacy.unit=key", "unit.from=key"};

  /**
   * The first records of a set.
   *
   * @param units whether somebody owns several of them
   * @param part one in this number measures ranges at most; 0 where as many as the noise asks for
   */
  private record Case(
      QualitySet set, boolean units, StreamPart records, double epsilon, int part, Plan plan) {
    long window() {
      return RangesOfFile.usual(plan);
    }
  }

  @Override
  public String name() {
    return "short-files";
  }

  @Override
  public String question() {
    return "How many records of a short file should measure ranges?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    for (QualitySet set : trials.choose(SETS, List.of(QualitySet.SEA))) {
      QualityRun run = NumberEncoding.NO_BOUNDS.run(set, trials.data());
      all.addAll(measured(trials, set, false, run));
    }
    for (UnitSet set : trials.choose(UNITS, List.of(UnitSet.SEA))) {
      QualityRun run = NumberEncoding.NO_BOUNDS.run(set.set, trials.data());
      run.withUnits(set.units(trials.data(), run.count()));
      all.addAll(measured(trials, set.set, true, run));
    }
    return Outcome.of(new Columns<Measured<Case>>()
        .add("set", each -> each.of().set().label)
        .add("unit", each -> each.of().units() ? "key" : "record")
        .add("records", each -> each.of().records().count())
        .add("epsilon", each -> each.of().epsilon())
        .add("one of", each -> each.of().part() == 0 ? "usual" : each.of().part())
        .add("window", each -> each.of().window())
        .add("loss", each -> each.mean(0))
        .add("loss +-", each -> each.error(0))
        .of(all));
  }

  private static List<Measured<Case>> measured(
      Trials trials, QualitySet set, boolean units, QualityRun run) {
    return trials.run(
        set.label + (units ? ", units" : ""),
        cases(trials, set, units, run),
        trials.choose(SEEDS, 1),
        (each, seed) -> QualityRun.losses(each.plan(), each.records(), 1 + seed));
  }

  /** Where a part of the file is more than the noise asks for, nothing changes. */
  private static List<Case> cases(Trials trials, QualitySet set, boolean units, QualityRun run) {
    String[] more = units ? BY_KEY : new String[0];
    List<Case> cases = new ArrayList<>();
    for (int most : trials.choose(RECORDS, List.of(1_500))) {
      StreamPart records = new StreamPart(run, 0, most);
      int count = records.count();
      for (double epsilon : trials.choose(EPSILONS, List.of(1.0))) {
        Plan usual = run.ofFile(count, 0, epsilon, more);
        cases.add(new Case(set, units, records, epsilon, 0, usual));
        for (int part : PARTS) {
          if (count / part < RangesOfFile.usual(usual)) {
            Plan plan = run.ofFile(
                count, Math.max(FeatureKeys.LEAST_RANGE_SLOTS, count / part), epsilon, more);
            cases.add(new Case(set, units, records, epsilon, part, plan));
          }
        }
      }
    }
    return cases;
  }
}
