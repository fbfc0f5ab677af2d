package dev.sotto.benchmarks.experiments;

import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.AC_SA;
import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.LOCALIZED;
import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.PROX;
import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.SGD;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.ABSOLUTE;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.LASSO;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.LEAST_SQUARES;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.MEAN;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.OUTLIERS;

import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.ClipRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * The suite of section 6.2 of the page: excess risks of the heavy-tailed algorithms beside those of
 * the page, and beside clipped gradient descent and FTRL at the same guarantee.
 */
final class HeavyTailExperiment implements Experiment {
  private static final int RUNS = 100;
  private static final double[] STEPS = {1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005};

  /**
   * A problem for an algorithm, and the page's excess risks.
   *
   * @param moment with the clip of the moment rule
   * @param quantile with that of a public quantile
   */
  private record Case(
      String suite,
      HeavyTailAlgorithm algorithm,
      HeavyTailRun run,
      double moment,
      double quantile) {
    /** Whether the baselines are run beside it: once for each run. */
    boolean hasBaselines() {
      return algorithm == SGD ? run.problem() != LEAST_SQUARES : algorithm != PROX;
    }
  }

  private static final List<Case> CASES = List.of(
      of("E1 a", SGD, MEAN, 10_000, 0.25, 0.1664, 0.0218),
      of("E1 a", SGD, MEAN, 10_000, 1, 0.0946, 0.0042),
      of("E1 a", SGD, MEAN, 10_000, 4, 0.0294, 0.0016),
      of("E1 b", SGD, OUTLIERS, 10_000, 0.25, 0.2704, 0.0021),
      of("E1 b", SGD, OUTLIERS, 10_000, 1, 0.2623, 0.2578),
      of("E2", AC_SA, LEAST_SQUARES, 10_000, 0.25, 0.1185, 0.0212),
      of("E2", SGD, LEAST_SQUARES, 10_000, 0.25, 0.2021, 0.0930),
      of("E2", AC_SA, LEAST_SQUARES, 10_000, 1, 0.0612, 0.0059),
      of("E2", SGD, LEAST_SQUARES, 10_000, 1, 0.1746, 0.0206),
      of("E2", AC_SA, LEAST_SQUARES, 10_000, 4, 0.0286, 0.0029),
      of("E2", SGD, LEAST_SQUARES, 10_000, 4, 0.0981, 0.0058),
      of("E2", AC_SA, LEAST_SQUARES, 100_000, 1, 0.0153, 0.0007),
      of("E2", SGD, LEAST_SQUARES, 100_000, 1, 0.0520, 0.0013),
      of("E3", LOCALIZED, ABSOLUTE, 256, 1, 0.239, 0.150),
      of("E3", LOCALIZED, ABSOLUTE, 256, 8, 0.095, 0.043),
      of("E3", LOCALIZED, ABSOLUTE, 1024, 1, 0.132, 0.070),
      of("E3", LOCALIZED, ABSOLUTE, 1024, 8, 0.038, 0.013),
      of("E4", PROX, LASSO, 10_000, 0.25, 1.194, 0.0256),
      of("E4", PROX, LASSO, 10_000, 1, 0.336, 0.0037),
      of("E4", PROX, LASSO, 100_000, 1, 0.0541, 0.0003));

  /** Left out where little is done. */
  private static final List<Case> LONG = List.of(
      of("E3", LOCALIZED, ABSOLUTE, 16_384, 1, 0.022, 0.0071),
      of("E3", LOCALIZED, ABSOLUTE, 16_384, 8, 0.0037, 0.0006));

  private static Case of(
      String suite,
      HeavyTailAlgorithm algorithm,
      HeavyTailProblem problem,
      int slots,
      double mu,
      double... page) {
    return new Case(suite, algorithm, new HeavyTailRun(problem, slots, mu), page[0], page[1]);
  }

  /** A case under one rule of the clip. */
  private record Trial(Case of, String rule, BlockAlgorithm algorithm, double page) {}

  /** A baseline at one step. */
  private record Baseline(HeavyTailRun run, boolean ftrl, double clip, double step) {
    double excess(Random random) {
      return ftrl ? run.ftrl(clip, step, random) : run.clippedSgd(clip, step, random);
    }
  }

  /** Ours and the baselines, each at its best step. */
  private record Row(Measured<Trial> ours, Measured<Baseline> sgd, Measured<Baseline> ftrl) {
    Case of() {
      return ours.of().of();
    }
  }

  @Override
  public String name() {
    return "heavy-tails";
  }

  @Override
  public String question() {
    return "Algorithms for heavy tails on made-up problems, beside the page's figures";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  @Override
  public Outcome run(Trials trials) {
    List<Case> cases = new ArrayList<>(CASES);
    cases.addAll(trials.choose(LONG, List.of()));
    List<Measured<Trial>> all = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    for (Case each : cases) {
      HeavyTailRun run = each.run();
      int runs = run.slots() > 10_000 ? RUNS / 4 : RUNS;
      int count = trials.choose(runs, Math.max(4, runs / 20));
      List<Measured<Trial>> both = trials.run(
          each.suite() + " " + each.algorithm().label + " " + run.slots() + " " + run.mu(),
          both(each),
          count,
          (trial, i) -> new double[] {run.excess(trial.algorithm(), new Random(1 + i))});
      all.addAll(both);
      if (each.hasBaselines()) {
        int few = Math.min(50, count);
        rows.add(new Row(both.get(1), best(trials, run, false, few), best(trials, run, true, few)));
      }
    }
    return new Outcome(
        new Columns<Row>()
            .add("suite", row -> row.of().suite())
            .add("slots", row -> row.of().run().slots())
            .add("mu", row -> row.of().run().mu())
            .add("ours", row -> row.ours().mean(0))
            .add("clipped SGD", row -> row.sgd().mean(0))
            .add("its step", row -> row.sgd().of().step())
            .add("FTRL", row -> row.ftrl().mean(0))
            .add("FTRL's step", row -> row.ftrl().of().step())
            .of(rows),
        new Columns<Measured<Trial>>()
            .add("suite", each -> each.of().of().suite())
            .add("problem", each -> each.of().of().run().problem().label)
            .add("algorithm", each -> each.of().of().algorithm().label)
            .add("slots", each -> each.of().of().run().slots())
            .add("mu", each -> each.of().of().run().mu())
            .add("queries", each -> each.of().algorithm().queries().queries())
            .add("clip rule", each -> each.of().rule())
            .add("clip", each -> each.of().algorithm().clip())
            .add("excess", each -> each.mean(0))
            .add("standard error", each -> each.error(0))
            .add("the page's", each -> each.of().page())
            .add("excess at the start", each -> atStart(each.of().of().run().problem()))
            .of(all),
        charts(rows));
  }

  private static double atStart(HeavyTailProblem problem) {
    return problem.excess(new double[problem.dimension]);
  }

  private static List<Trial> both(Case each) {
    HeavyTailProblem problem = each.run().problem();
    return List.of(
        new Trial(
            each,
            "moment",
            each.algorithm().make(problem, each.run().size(), OptionalDouble.empty()),
            each.moment()),
        new Trial(
            each,
            "quantile",
            each.algorithm().atQuantile(problem, each.run().size()),
            each.quantile()));
  }

  private static Measured<Baseline> best(Trials trials, HeavyTailRun run, boolean ftrl, int runs) {
    double clip = run.problem().quantile(ClipRules.tail(run.size(), HeavyTailRun.BATCHES));
    List<Baseline> steps = Arrays.stream(STEPS)
        .mapToObj(step -> new Baseline(run, ftrl, clip, ftrl ? step / 2 : step))
        .toList();
    return Measured.best(
        trials.run(ftrl ? "FTRL" : "clipped SGD", steps, runs, (each, i) ->
            new double[] {each.excess(new Random(1 + i))}),
        0);
  }

  /** Excess over the block's mu where the clip is a quantile: ours and the baselines. */
  private static Map<String, Chart> charts(List<Row> all) {
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (String suite : List.of("E1 a", "E2", "E3")) {
      int slots = suite.equals("E3") ? 1024 : 10_000;
      List<Row> rows = all.stream()
          .filter(row -> row.of().suite().equals(suite) && row.of().run().slots() == slots)
          .toList();
      Chart chart = new Chart(
              suite + ": excess risk of one block of " + slots + " records",
              "mu",
              true,
              "excess risk, mean of runs",
              true)
          .line("ours", rows, row -> row.of().run().mu(), row -> row.ours().mean(0))
          .line(
              "clipped SGD", rows, row -> row.of().run().mu(), row -> row.sgd().mean(0))
          .line("FTRL", rows, row -> row.of().run().mu(), row -> row.ftrl().mean(0));
      charts.put(suite.toLowerCase(Locale.ROOT).replace(" ", ""), chart);
    }
    return charts;
  }
}
