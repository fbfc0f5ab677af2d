package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.HeavyTailRun.Risk;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import dev.sotto.learner.optimizer.heavytail.ClipRules;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.heavytail.ClippedSgd;
import dev.sotto.learner.optimizer.heavytail.Curvature;
import dev.sotto.learner.optimizer.heavytail.LocalMoments;
import dev.sotto.learner.optimizer.heavytail.LocalizedErm;
import dev.sotto.learner.optimizer.heavytail.LocalizedSchedule;
import dev.sotto.learner.optimizer.heavytail.Moments;
import dev.sotto.learner.optimizer.heavytail.ProxClippedSgd;
import dev.sotto.learner.optimizer.heavytail.ProxSchedule;
import dev.sotto.learner.optimizer.heavytail.ProximalMap;
import dev.sotto.learner.optimizer.heavytail.SgdSchedule;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.DoubleStream;

/**
 * The suite of section 6.2 of the page: excess risks of the heavy-tailed algorithms beside those of
 * the page, and beside clipped gradient descent and FTRL at the same guarantee.
 */
final class HeavyTails implements Experiment {
  private static final int RUNS = 100;
  private static final double[] STEPS = {1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005};

  private final ResultTable all = new ResultTable(
      "suite",
      "problem",
      "algorithm",
      "slots",
      "mu",
      "queries",
      "clip rule",
      "clip",
      "excess",
      "standard error",
      "the page's",
      "excess at the start");
  private final ResultTable baselines = new ResultTable(
      "suite", "slots", "mu", "ours", "clipped SGD", "its step", "FTRL", "FTRL's step");
  private boolean quick;

  @Override
  public String name() {
    return "heavy-tails";
  }

  @Override
  public Outcome run(boolean fast) throws IOException {
    quick = fast;
    means("E1 a", HeavyTailProblem.MEAN, new double[] {0.25, 1, 4}, new double[][] {
      {0.1664, 0.0218}, {0.0946, 0.0042}, {0.0294, 0.0016}
    });
    means("E1 b", HeavyTailProblem.OUTLIERS, new double[] {0.25, 1}, new double[][] {
      {0.2704, 0.0021}, {0.2623, 0.2578}
    });
    double[][] pages = {
      {0.1185, 0.0212, 0.2021, 0.0930},
      {0.0612, 0.0059, 0.1746, 0.0206},
      {0.0286, 0.0029, 0.0981, 0.0058}
    };
    for (int i = 0; i < 3; i++) {
      leastSquares(10_000, new double[] {0.25, 1, 4}[i], pages[i]);
    }
    leastSquares(100_000, 1, new double[] {0.0153, 0.0007, 0.0520, 0.0013});
    medians(256, 1, 0.239, 0.150);
    medians(256, 8, 0.095, 0.043);
    medians(1024, 1, 0.132, 0.070);
    medians(1024, 8, 0.038, 0.013);
    if (!quick) {
      medians(16_384, 1, 0.022, 0.0071);
      medians(16_384, 8, 0.0037, 0.0006);
    }
    lasso(10_000, 0.25, 1.194, 0.0256);
    lasso(10_000, 1, 0.336, 0.0037);
    lasso(100_000, 1, 0.0541, 0.0003);
    return new Outcome(baselines, all, charts());
  }

  private int runs(int slots) {
    int runs = slots > 10_000 ? RUNS / 4 : RUNS;
    return quick ? Math.max(4, runs / 20) : runs;
  }

  private static Moments moments(HeavyTailProblem problem) {
    return new Moments(2, problem.second, problem.second);
  }

  private static Ball ball(HeavyTailProblem problem) {
    return new Ball(null, problem.radius);
  }

  private void means(String suite, HeavyTailProblem problem, double[] mus, double[][] pages) {
    for (int i = 0; i < mus.length; i++) {
      HeavyTailRun run = new HeavyTailRun(problem, 10_000, mus[i]);
      sgd(suite, run, pages[i][0], pages[i][1]);
    }
  }

  /** Clipped SGD with both clips, and the baselines at the second. */
  private Risk sgd(String suite, HeavyTailRun run, double moment, double quantile) {
    BlockSize size = size(run);
    BlockAlgorithm first = sgd(run, OptionalDouble.empty());
    add(suite, "clipped-sgd", run, first, "moment", moment);
    double clip = run.problem().quantile(ClipRules.tail(size, first.queries().queries() - 1));
    Risk best =
        add(suite, "clipped-sgd", run, sgd(run, OptionalDouble.of(clip)), "quantile", quantile);
    if (run.problem() != HeavyTailProblem.LEAST_SQUARES) {
      baselines(suite, run, best);
    }
    return best;
  }

  private static BlockAlgorithm sgd(HeavyTailRun run, OptionalDouble clip) {
    return new ClippedSgd(
        SgdSchedule.of(size(run), moments(run.problem()), new Curvature(1, 1), 2, clip),
        0,
        ball(run.problem()));
  }

  private void leastSquares(int slots, double mu, double[] pages) {
    HeavyTailRun run = new HeavyTailRun(HeavyTailProblem.LEAST_SQUARES, slots, mu);
    BlockAlgorithm first = acSa(run, OptionalDouble.empty());
    add("E2", "clipped-ac-sa", run, first, "moment", pages[0]);
    double clip =
        run.problem().quantile(ClipRules.tail(size(run), first.queries().queries()));
    BlockAlgorithm second = acSa(run, OptionalDouble.of(clip));
    Risk best = add("E2", "clipped-ac-sa", run, second, "quantile", pages[1]);
    sgd("E2", run, pages[2], pages[3]);
    baselines("E2", run, best);
  }

  private static BlockAlgorithm acSa(HeavyTailRun run, OptionalDouble clip) {
    return new ClippedAcSa(
        AcSaSchedule.of(size(run), moments(run.problem()), 1, 2, clip), ball(run.problem()));
  }

  private void medians(int slots, double mu, double moment, double quantile) {
    HeavyTailProblem problem = HeavyTailProblem.ABSOLUTE;
    HeavyTailRun run = new HeavyTailRun(problem, slots, mu);
    LocalizedSchedule schedule = new LocalizedSchedule(
        size(run), new LocalMoments(moments(problem), problem.fourth), 2 * problem.radius);
    BlockAlgorithm first = new LocalizedErm(schedule.phases(400, 1, schedule::clip), ball(problem));
    add("E3", "localized-erm", run, first, "moment", moment);
    BlockAlgorithm second = new LocalizedErm(
        schedule.phases(400, 1, n -> problem.quantile(ClipRules.localTail(size(run), n))),
        ball(problem));
    Risk best = add("E3", "localized-erm", run, second, "quantile", quantile);
    baselines("E3", run, best);
  }

  private void lasso(int slots, double mu, double moment, double quantile) {
    HeavyTailRun run = new HeavyTailRun(HeavyTailProblem.LASSO, slots, mu);
    BlockAlgorithm first = prox(run, OptionalDouble.empty());
    add("E4", "prox-clipped-sgd", run, first, "moment", moment);
    double clip =
        run.problem().quantile(ClipRules.proximalTail(size(run), first.queries().queries()));
    add("E4", "prox-clipped-sgd", run, prox(run, OptionalDouble.of(clip)), "quantile", quantile);
  }

  private static BlockAlgorithm prox(HeavyTailRun run, OptionalDouble clip) {
    ProxSchedule schedule =
        ProxSchedule.of(size(run), moments(run.problem()), new Curvature(1, 1), 1, clip);
    return new ProxClippedSgd(schedule, new ProximalMap(0.1, 0, 1));
  }

  private static BlockSize size(HeavyTailRun run) {
    return new BlockSize(run.slots(), run.problem().dimension, run.mu());
  }

  private Risk add(
      String suite,
      String name,
      HeavyTailRun run,
      BlockAlgorithm algorithm,
      String rule,
      double page) {
    Risk risk = run.risk(runs(run.slots()), random -> run.excess(algorithm, random));
    all.add(
        suite,
        run.problem().label,
        name,
        run.slots(),
        run.mu(),
        algorithm.queries().queries(),
        rule,
        algorithm.clip(),
        risk.mean(),
        risk.error(),
        page,
        run.problem().excess(new double[run.problem().dimension]));
    System.err.println("heavy-tails: " + suite + " " + name + " " + run.slots() + " " + run.mu()
        + " " + rule + " " + risk.text() + ", the page's " + page);
    return risk;
  }

  /** Excess over the block's mu where the clip is a quantile: ours and the baselines. */
  private Map<String, Chart> charts() {
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (String suite : List.of("E1 a", "E2", "E3")) {
      long slots = suite.equals("E3") ? 1024 : 10_000;
      List<Map<String, Object>> rows = baselines.objects().stream()
          .filter(each -> each.get("suite").equals(suite) && number(each, "slots") == slots)
          .toList();
      Chart chart = new Chart(
          suite + ": excess risk of one block of " + slots + " records",
          "mu",
          true,
          "excess risk, mean of runs",
          true);
      for (String line : List.of("ours", "clipped SGD", "FTRL")) {
        double[] mu = rows.stream().mapToDouble(each -> number(each, "mu")).toArray();
        double[] mean = rows.stream().mapToDouble(each -> number(each, line)).toArray();
        chart.line(line, mu, mean, mean, mean);
      }
      charts.put(suite.toLowerCase(Locale.ROOT).replace(" ", ""), chart);
    }
    return charts;
  }

  private static double number(Map<String, Object> row, String column) {
    return ((Number) row.get(column)).doubleValue();
  }

  /** A baseline at one step, and the step. */
  private record Best(double step, Risk risk) {}

  private void baselines(String suite, HeavyTailRun run, Risk ours) {
    double clip = run.problem().quantile(ClipRules.tail(size(run), HeavyTailRun.BATCHES));
    Best sgd = best(run, 1, (step, random) -> run.clippedSgd(clip, step, random));
    Best ftrl = best(run, 0.5, (step, random) -> run.ftrl(clip, step, random));
    baselines.add(
        suite,
        run.slots(),
        run.mu(),
        ours.mean(),
        sgd.risk().mean(),
        sgd.step(),
        ftrl.risk().mean(),
        ftrl.step());
    System.err.println(
        "heavy-tails: " + suite + " " + run.slots() + " " + run.mu() + ": ours " + ours.text()
            + ", clipped SGD " + sgd.risk().text() + ", FTRL " + ftrl.risk().text());
  }

  private Best best(HeavyTailRun run, double factor, ToDoubleBiFunction<Double, Random> method) {
    int runs = Math.min(50, runs(run.slots()));
    return DoubleStream.of(STEPS)
        .mapToObj(step -> new Best(
            factor * step, run.risk(runs, random -> method.applyAsDouble(factor * step, random))))
        .min((a, b) -> Double.compare(a.risk().mean(), b.risk().mean()))
        .orElseThrow();
  }
}
