package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.RealData.Contender;
import dev.sotto.benchmarks.experiments.RealData.Task;
import dev.sotto.benchmarks.experiments.RecipeGrid.Result;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.example.Example;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Both algorithms on one set: its references, its grid, and all figures of the best recipes. */
final class RealRun {
  private static final double[] RATES = {0.1, 0.3, 1, 3, 10, 30};

  private final Task task;
  private final RealSet set;
  private final int repetitions;
  private final double[] optimum;
  private final double least;

  RealRun(Task task, RealSet set, int repetitions) {
    this.task = task;
    this.set = set;
    this.repetitions = repetitions;
    this.optimum = Optimum.inBall(set, RealData.RADIUS, 1e-5);
    this.least = BinaryScores.of(set, optimum).logLoss();
    System.err.printf(
        Locale.ROOT,
        "%s: optimum in the ball of radius %s: %.6f%n",
        task.label,
        RealData.RADIUS,
        least);
  }

  void run(ResultTable summary, ResultTable all, Map<String, Chart> charts) {
    double onePass = addOnePass(summary);
    List<Result> results = RecipeGrid.run(task.label, RealData.grid(), repetitions, r -> recipe -> {
      double[] weights =
          LearningPass.weights(recipe.plan(set.count(), set.dimension(), RealData.RADIUS), set, r);
      return new double[] {BinaryScores.of(set, weights).logLoss()};
    });
    for (Result each : results) {
      Recipe recipe = each.recipe();
      all.add(
          task.label,
          recipe.method().label.replace(",", ""),
          recipe.mu(),
          recipe.rounds(),
          recipe.batch(set.count()),
          recipe.step(),
          each.mean(0),
          each.min(0),
          each.max(0));
    }
    Chart excess = new Chart(
        "Excess risk over the optimum in the ball of radius 20: " + task.label,
        "epsilon at delta 1e-6, record level",
        false,
        "excess in-sample log-loss",
        true);
    Chart progressive = new Chart(
        "Progressive log-loss, one pass: " + task.label,
        "epsilon at delta 1e-6, record level",
        false,
        "progressive log-loss",
        false);
    for (Contender contender : Contender.values()) {
      draw(contender, results, summary, excess, progressive);
    }
    progressive.level("SGD, one pass, no privacy", RealData.EPSILONS[0], 4, onePass);
    progressive.level("optimum", RealData.EPSILONS[0], 4, least);
    charts.put(task.label + "-excess", excess);
    charts.put(task.label + "-progressive", progressive);
  }

  private double addOnePass(ResultTable summary) {
    double best = Double.POSITIVE_INFINITY;
    double bestRate = Double.NaN;
    for (double rate : RATES) {
      double loss = Optimum.onePass(set, rate).logLoss();
      if (loss < best) {
        best = loss;
        bestRate = rate;
      }
    }
    BinaryScores scores = Optimum.onePass(set, bestRate);
    summary.add(
        task.label,
        "SGD",
        Double.POSITIVE_INFINITY,
        "-",
        "-",
        "-",
        "-",
        "-",
        "-",
        best,
        scores.accuracy(),
        scores.auc(),
        set.count(),
        1,
        "rate",
        bestRate);
    BinaryScores least = BinaryScores.of(set, optimum);
    summary.add(
        task.label,
        "optimum in the ball",
        Double.POSITIVE_INFINITY,
        0.0,
        0.0,
        0.0,
        least.logLoss(),
        least.accuracy(),
        least.auc(),
        "-",
        "-",
        "-",
        "-",
        "-",
        "-",
        "-");
    return best;
  }

  private void draw(
      Contender contender,
      List<Result> results,
      ResultTable summary,
      Chart excess,
      Chart progressive) {
    double[][] points = new double[4][RealData.EPSILONS.length];
    double[][] losses = new double[3][RealData.EPSILONS.length];
    double[] epsilons = RealData.epsilons();
    for (int e = 0; e < epsilons.length; e++) {
      double mu = RealData.mu(epsilons[e]);
      Result best =
          RecipeGrid.best(results, 0, recipe -> contender.holds(recipe) && recipe.mu() == mu);
      Result full = full(best.recipe());
      Recipe recipe = best.recipe();
      summary.add(
          task.label,
          contender.label,
          epsilons[e],
          best.mean(0) - least,
          best.min(0) - least,
          best.max(0) - least,
          full.mean(0),
          full.mean(1),
          full.mean(2),
          full.mean(3),
          full.mean(4),
          full.mean(5),
          recipe.rounds(),
          recipe.batch(set.count()),
          recipe.method() == ExperimentMethod.FTRL
              ? "decreasing"
              : contender == Contender.SRGD ? "beta" : "fixed",
          recipe.step());
      if (e == RealData.EPSILONS.length) {
        excess.level(contender.label + ", no noise", RealData.EPSILONS[0], 4, best.mean(0) - least);
        progressive.level(contender.label + ", no noise", RealData.EPSILONS[0], 4, full.mean(3));
      } else {
        points[0][e] = epsilons[e];
        points[1][e] = best.mean(0) - least;
        points[2][e] = best.min(0) - least;
        points[3][e] = best.max(0) - least;
        losses[0][e] = full.mean(3);
        losses[1][e] = full.min(3);
        losses[2][e] = full.max(3);
      }
    }
    excess.line(contender.label, points[0], points[1], points[2], points[3]);
    progressive.line(contender.label, points[0], losses[0], losses[1], losses[2]);
  }

  /** All figures of a recipe: in sample, then progressive; loss, accuracy, AUC each. */
  private Result full(Recipe recipe) {
    return RecipeGrid.run(task.label + ", best", List.of(recipe), repetitions, r -> each -> {
          BinaryScores before = new BinaryScores(set.count());
          double[] weights = LearningPass.weights(
              each.plan(set.count(), set.dimension(), RealData.RADIUS),
              set,
              r,
              (place, example, published) -> predict(before, example, published));
          BinaryScores after = BinaryScores.of(set, weights);
          return new double[] {
            after.logLoss(), after.accuracy(), after.auc(),
            before.logLoss(), before.accuracy(), before.auc()
          };
        })
        .get(0);
  }

  private static void predict(BinaryScores scores, Example example, double[] published) {
    scores.add(example.dot(published), example.label());
  }
}
