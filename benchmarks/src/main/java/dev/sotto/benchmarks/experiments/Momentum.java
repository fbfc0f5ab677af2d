package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.MomentumCase.Problem;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.optimizer.momentum.FullBatchSchedule;
import dev.sotto.learner.optimizer.momentum.Landscape;
import dev.sotto.learner.optimizer.momentum.OnePassBound;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Momentum aggregation where losses are not convex: gradient norms in one pass and over a block,
 * beside plain normalised descent and private FTRL at the same guarantee; and a network on
 * pictures.
 */
final class Momentum implements Experiment {
  private static final int DIMENSION = 50;
  private static final int STREAM = 200_000;
  private static final int BLOCK = 20_000;
  private static final int SEEDS = 2;
  private static final int LOOKS = 20;
  private static final double[] STEPS = {0.003, 0.01, 0.03, 0.1};
  private static final double[] MUS = {0.05, 0.2, 1};
  private static final double[] DEFAULTS = {0.3, 1, 3}; // multiples of the default step
  private static final double[] FTRL = {3, 10, 30, 100, 300};

  /** The figures of a row: the mean over the run, at the end, and the loss. */
  private record Row(String task, Measured<MomentumCase> measured) {
    MomentumCase of() {
      return measured.of();
    }
  }

  /** A smooth landscape that is learned in one pass, or as one block. */
  private record Task(String name, boolean onePass, LogitStream stream, Problem problem) {
    static Task of(String name, boolean onePass, int count) {
      LogitStream stream = LogitStream.draw(count, LogitStream.even(DIMENSION), 6, 77);
      Problem problem = new Problem(
          "squared-sigmoid",
          Objective.of(new SquaredSigmoid()),
          DIMENSION,
          SquaredSigmoid.LIPSCHITZ,
          SquaredSigmoid.SMOOTHNESS,
          count);
      return new Task(name, onePass, stream, problem);
    }

    double[] at(double[] weights) {
      ExampleStream looked = new StreamPart(stream, 0, BLOCK);
      return new double[] {
        MeanLoss.gradientNorm(problem.objective(), looked, weights),
        MeanLoss.of(problem.objective(), looked, weights)[0]
      };
    }

    double[] measured(MomentumCase each, int seed) {
      int every = onePass ? stream.count() / LOOKS : stream.count();
      double[] norms = {0};
      double[] weights = LearningPass.weights(each.plan(), stream, 1 + seed, (place, of, now) -> {
        if (place > 0 && place % every == 0) {
          norms[0] += at(now)[0];
        }
      });
      double[] last = at(weights);
      return new double[] {(norms[0] + last[0]) / (onePass ? LOOKS : 1), last[0], last[1]};
    }

    /** The figure that chooses. */
    int figure() {
      return onePass ? 0 : 1;
    }
  }

  private final List<Row> all = new ArrayList<>();
  private final List<Row> summary = new ArrayList<>();
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  @Override
  public String name() {
    return "momentum";
  }

  @Override
  public String question() {
    return "Momentum aggregation where losses are not convex";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    landscape(trials, Task.of("one pass", true, trials.choose(STREAM, STREAM / 10)));
    landscape(trials, Task.of("block", false, trials.choose(BLOCK, BLOCK / 10)));
    if (trials.hasData()) {
      network(trials);
    } else {
      trials.say("no network: the recorded data are not on this machine");
    }
    return new Outcome(table(summary), table(all), charts);
  }

  private static ResultTable table(List<Row> rows) {
    return new Columns<Row>()
        .add("task", Row::task)
        .add("mu", row -> row.of().mu())
        .add("method", row -> row.of().method())
        .add("settings", row -> row.of().settings())
        .add("mean over the run", row -> row.measured().mean(0))
        .add("at the end", row -> row.measured().mean(1))
        .add("loss", row -> row.measured().mean(2))
        .of(rows);
  }

  private void landscape(Trials trials, Task task) {
    double[] start = task.at(new double[DIMENSION]);
    Row before = new Row(
        task.name(), new Measured<>(new MomentumCase("start", "-", 0, null), List.of(new double[] {
          start[0], start[0], start[1]
        })));
    all.add(before);
    summary.add(before);
    Map<String, List<Measured<MomentumCase>>> lines = new LinkedHashMap<>();
    for (double mu : MUS) {
      boolean quick = trials.choose(false, true);
      Problem problem = task.problem();
      List<Measured<MomentumCase>> results = trials.run(
          task.name() + ", mu " + mu,
          task.onePass() ? onePass(problem, mu, quick) : block(problem, mu, quick),
          SEEDS,
          task::measured);
      results.forEach(each -> all.add(new Row(task.name(), each)));
      for (Measured<MomentumCase> best :
          Measured.bests(results, task.figure(), MomentumCase::method)) {
        summary.add(new Row(task.name(), best));
        lines.computeIfAbsent(best.of().method(), none -> new ArrayList<>()).add(best);
      }
    }
    Chart chart = new Chart(
        "Gradient norm of a loss that is not convex, " + task.name() + ", N "
            + task.stream().count(),
        "mu of a record",
        true,
        task.onePass() ? "mean over the run" : "at the end",
        true);
    lines.forEach((method, line) ->
        chart.line(method, line, each -> each.of().mu(), each -> each.mean(task.figure())));
    charts.put(task.name().replace(' ', '-'), chart);
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
      cases.add(MomentumCase.tree(problem, mu, 64, alpha, times * bound.step(alpha))
          .named("tree, defaults", times));
    }
    for (double times : FTRL) {
      cases.add(MomentumCase.ftrl(problem, mu, 100, NoiseChoice.BLT, times));
    }
    return cases;
  }

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
        cases.add(MomentumCase.fullBatch( // gamma as for the smallest noise
                problem, mu, steps.queries(), times * steps.step(), false)
            .named("full batch, defaults " + most, times));
      }
    }
    for (double times : FTRL) {
      cases.add(MomentumCase.ftrl(problem, mu, 100, NoiseChoice.BLT, times));
    }
    return cases;
  }

  /** Log-loss and accuracy on pictures behind those that are learned from. */
  private void network(Trials trials) throws IOException {
    QualityRun pictures = new QualityRun(QualitySet.FASHION, trials.data(), List.of());
    Objective objective = Objectives.named(
            "network(hidden=32 activation=tanh output=softmax(10) seed=1)")
        .orElseThrow();
    StepScale known = objective.stepScale(1).orElseThrow();
    int learned = trials.choose(16_000, 1600);
    ExampleStream block = new StreamPart(pictures, 0, learned);
    ExampleStream behind = new StreamPart(pictures, learned, pictures.count());
    Problem problem = new Problem(
        "network",
        objective,
        objective.dimension(pictures.dimension()),
        known.clip(),
        known.curvature() / (1.5 + 0.5 * objective.rows()), // as the default
        learned);
    for (double epsilon : trials.choose(List.of(1.0, 4.0), List.of(4.0))) {
      double mu = new Budget(epsilon, 1e-6).totalMu();
      trials
          .run(
              "network, epsilon " + epsilon,
              network(problem, known(problem, mu), mu, trials.choose(false, true)),
              1,
              (each, none) -> {
                double[] weights = LearningPass.weights(each.plan(), block, 1);
                double[] found = MeanLoss.of(objective, behind, weights);
                // Of the gradient there is nothing to see: the accuracy is in its columns.
                return new double[] {found[1], found[1], found[0]};
              })
          .forEach(each -> {
            Row row = new Row("network: accuracy and log-loss", each);
            all.add(row);
            summary.add(row);
          });
    }
  }

  private static List<MomentumCase> network(
      Problem problem, Landscape landscape, double mu, boolean quick) {
    List<MomentumCase> cases = new ArrayList<>();
    OnePassBound bound = new OnePassBound(landscape, 64, 1 << 20);
    double alpha = bound.momentumAlpha();
    long queries = quick ? 4 : 32;
    double step = FullBatchSchedule.step(problem.slots(), landscape, queries);
    for (double times : quick ? new double[] {1} : DEFAULTS) {
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
