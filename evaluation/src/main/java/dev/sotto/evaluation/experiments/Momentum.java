package dev.sotto.evaluation.experiments;

import dev.sotto.evaluation.experiments.MomentumCase.Problem;
import dev.sotto.evaluation.text.ResultTable;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.optimizer.momentum.FullBatchSchedule;
import dev.sotto.learner.optimizer.momentum.Landscape;
import dev.sotto.learner.optimizer.momentum.OnePassBound;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Momentum aggregation where losses are not convex: gradient norms in one pass and over a block,
 * beside plain normalised descent and private FTRL at the same guarantee; and a network on pictures.
 */
final class Momentum implements Experiment {
  private static final int DIMENSION = 50;
  private static final int STREAM = 200_000;
  private static final int BLOCK = 20_000;
  private static final int SEEDS = 2;
  private static final int LOOKS = 20;
  private static final double[] STEPS = {0.003, 0.01, 0.03, 0.1};
  private static final double[] MUS = {0.05, 0.2, 1};

  @Override
  public String name() {
    return "momentum";
  }

  private record Result(MomentumCase of, double mean, double last, double loss) {}

  @Override
  public Outcome run(boolean quick) throws IOException {
    ResultTable all = new ResultTable(
        "task", "mu", "method", "settings", "mean over the run", "at the end", "loss");
    ResultTable summary = new ResultTable(
        "task", "mu", "method", "settings", "mean over the run", "at the end", "loss");
    Map<String, Chart> charts = new LinkedHashMap<>();
    int scale = quick ? 10 : 1;
    landscape("one pass", quick, STREAM / scale, true, summary, all, charts);
    landscape("block", quick, BLOCK / scale, false, summary, all, charts);
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println("momentum: no network: the recorded data are not on this machine");
    } else {
      network(folder.get(), quick, summary, all);
    }
    return new Outcome(summary, all, charts);
  }

  private static void landscape(
      String task,
      boolean quick,
      int count,
      boolean onePass,
      ResultTable summary,
      ResultTable all,
      Map<String, Chart> charts) {
    LogitStream stream = LogitStream.draw(count, LogitStream.even(DIMENSION), 6, 77);
    Objective objective = Objective.of(new SquaredSigmoid());
    Problem problem = new Problem(
        "squared-sigmoid",
        objective,
        DIMENSION,
        SquaredSigmoid.LIPSCHITZ,
        SquaredSigmoid.SMOOTHNESS,
        count);
    int looked = Math.min(count, BLOCK);
    double start = MomentumPass.gradientNorm(objective, stream, looked, new double[DIMENSION]);
    double loss = MomentumPass.scores(objective, stream, 0, looked, new double[DIMENSION])[0];
    all.add(task, 0.0, "start", "-", start, start, loss);
    summary.add(task, 0.0, "start", "-", start, start, loss);
    Map<String, double[]> lines = new LinkedHashMap<>();
    for (int m = 0; m < MUS.length; m++) {
      List<MomentumCase> cases =
          onePass ? onePass(problem, MUS[m], quick) : block(problem, MUS[m], quick);
      System.err.println("momentum: " + task + ", mu " + MUS[m] + ": " + cases.size());
      Map<String, Result> best = new LinkedHashMap<>();
      List<Result> results = cases.stream()
          .parallel()
          .map(each -> measure(each, problem, stream, looked, onePass))
          .toList();
      for (Result each : results) {
        row(all, task, each);
        best.merge(
            each.of().method(), each, (a, b) -> figure(b, onePass) < figure(a, onePass) ? b : a);
      }
      for (Result each : best.values()) {
        row(summary, task, each);
        lines.computeIfAbsent(each.of().method(), method -> new double[MUS.length])[m] =
            figure(each, onePass);
      }
    }
    Chart chart = new Chart(
        "Gradient norm of a loss that is not convex, " + task + ", N " + count,
        "mu of a record",
        true,
        onePass ? "mean over the run" : "at the end",
        true);
    lines.forEach((method, norms) -> chart.line(method, MUS, norms, norms, norms));
    charts.put(task.replace(' ', '-'), chart);
  }

  private static double figure(Result result, boolean onePass) {
    return onePass ? result.mean() : result.last();
  }

  private static void row(ResultTable table, String task, Result each) {
    table.add(
        task,
        each.of().mu(),
        each.of().method(),
        each.of().settings(),
        each.mean(),
        each.last(),
        each.loss());
  }

  private static Result measure(
      MomentumCase each, Problem problem, ExampleStream stream, int looked, boolean onePass) {
    double[] norms = {0, 0, 0};
    for (int seed = 1; seed <= SEEDS; seed++) {
      double[] weights = MomentumPass.weights(
          each.plan(),
          stream,
          stream.count(),
          seed,
          onePass ? stream.count() / LOOKS : stream.count(),
          now -> norms[0] += MomentumPass.gradientNorm(problem.objective(), stream, looked, now));
      norms[1] += MomentumPass.gradientNorm(problem.objective(), stream, looked, weights);
      norms[2] += MomentumPass.scores(problem.objective(), stream, 0, looked, weights)[0];
    }
    return new Result(
        each, norms[0] / SEEDS / (onePass ? LOOKS : 1), norms[1] / SEEDS, norms[2] / SEEDS);
  }

  private static List<MomentumCase> onePass(Problem problem, double mu, boolean quick) {
    List<MomentumCase> cases = new ArrayList<>();
    for (double step : quick ? new double[] {0.03} : STEPS) {
      for (double alpha : new double[] {0.1, 0.01, 0.003, 0.001}) {
        cases.add(MomentumCase.tree(problem, mu, 100, alpha, step));
        cases.add(MomentumCase.independent(problem, mu, 100, alpha, step));
      }
      for (long batch : new long[] {1000, 10_000}) {
        cases.add(MomentumCase.independent(problem, mu, batch, 1, 10 * step));
      }
    }
    OnePassBound bound = new OnePassBound(known(problem, mu), 64, 1 << 20);
    double alpha = bound.momentumAlpha();
    for (double times : DEFAULTS) {
      double step = times * bound.step(alpha);
      cases.add(MomentumCase.tree(problem, mu, 64, alpha, step).named("tree, defaults", times));
    }
    for (double times : new double[] {3, 10, 30, 100, 300}) {
      cases.add(MomentumCase.ftrl(problem, mu, 100, NoiseChoice.BLT, times));
    }
    return cases;
  }

  private static final double[] DEFAULTS = {0.3, 1, 3};

  private static Landscape known(Problem problem, double mu) {
    return Landscape.of(
        problem.smoothness(), problem.clip(), problem.dimension(), problem.clip() / mu);
  }

  private static List<MomentumCase> block(Problem problem, double mu, boolean quick) {
    List<MomentumCase> cases = new ArrayList<>();
    for (long queries : quick ? new long[] {25} : new long[] {25, 100, 400}) {
      for (double step : new double[] {0.03, 0.1, 0.3, 1}) {
        cases.add(MomentumCase.fullBatch(problem, mu, queries, step, false));
        cases.add(MomentumCase.fullBatch(problem, mu, queries, step, true));
        cases.add(MomentumCase.passes(problem, mu, 16, Math.max(1, queries / 8), step / 4));
        cases.add(MomentumCase.windows(
            problem, mu, 16, Math.max(2, queries / 8), known(problem, mu), step / 4));
      }
    }
    for (long most : new long[] {32, 128}) { // the default, and more
      FullBatchSchedule.Steps steps =
          FullBatchSchedule.plan(problem.slots(), known(problem, mu), most);
      for (double times : DEFAULTS) {
        cases.add(MomentumCase.fullBatch( // gamma as for the least noise
                problem, mu, steps.queries(), times * steps.step(), false)
            .named("full batch, defaults " + most, times));
      }
    }
    for (double times : new double[] {3, 10, 30, 100, 300}) {
      cases.add(MomentumCase.ftrl(problem, mu, 100, NoiseChoice.BLT, times));
    }
    return cases;
  }

  /** Log-loss and accuracy on pictures behind those that are learned from. */
  private static void network(Path folder, boolean quick, ResultTable summary, ResultTable all)
      throws IOException {
    QualityRun pictures = new QualityRun(QualitySet.FASHION, folder, List.of());
    Objective objective = Objectives.named(
            "network(hidden=32 activation=tanh output=softmax(10) seed=1)")
        .orElseThrow();
    StepScale known = objective.stepScale(1).orElseThrow();
    int learned = quick ? 1600 : 16_000;
    Problem problem = new Problem(
        "network",
        objective,
        objective.dimension(pictures.dimension()),
        known.clip(),
        known.curvature() / (1.5 + 0.5 * objective.rows()), // as the default
        learned);
    for (double epsilon : quick ? new double[] {4} : new double[] {1, 4}) {
      double mu = new Budget(epsilon, 1e-6).totalMu();
      List<MomentumCase> cases = network(problem, known(problem, mu), mu, quick);
      System.err.println("momentum: network, epsilon " + epsilon + ": " + cases.size());
      for (MomentumCase each : cases) {
        double[] weights =
            MomentumPass.weights(each.plan(), pictures, learned, 1, learned, now -> {});
        double[] scores =
            MomentumPass.scores(objective, pictures, learned, pictures.count(), weights);
        // Of the gradient there is nothing to see: the accuracy is in its columns.
        Result result = new Result(each, scores[1], scores[1], scores[0]);
        row(all, "network: accuracy and log-loss", result);
        row(summary, "network: accuracy and log-loss", result);
      }
    }
  }

  private static List<MomentumCase> network(
      Problem problem, Landscape landscape, double mu, boolean quick) {
    List<MomentumCase> cases = new ArrayList<>();
    OnePassBound bound = new OnePassBound(landscape, 64, 1 << 20);
    double alpha = bound.momentumAlpha();
    long queries = quick ? 4 : 32;
    double step = FullBatchSchedule.step(problem.slots(), landscape, queries);
    for (double times : quick ? new double[] {1} : new double[] {0.3, 1, 3}) {
      cases.add(MomentumCase.tree(problem, mu, 64, alpha, times * bound.step(alpha))
          .named("tree, defaults", times));
      cases.add(MomentumCase.tree(problem, mu, 64, 0.03, times * 0.3));
      cases.add(MomentumCase.ftrl(problem, mu, 64, NoiseChoice.BLT, 20 * times));
      cases.add(MomentumCase.passes(problem, mu, 16, 4, times * 0.3));
      cases.add(MomentumCase.windows(problem, mu, 16, 8, landscape, times * 0.3));
      cases.add(MomentumCase.fullBatch(problem, mu, queries, times * step, false)
          .named("full batch, defaults", times));
      cases.add(MomentumCase.fullBatch(problem, mu, queries, times * step, true));
      cases.add(MomentumCase.fullBatch(problem, mu, 4 * queries, times * step / 2, true));
    }
    return cases;
  }
}
