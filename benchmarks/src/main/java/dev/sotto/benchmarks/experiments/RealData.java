package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.Grid.Result;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.privacy.Budget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Both algorithms on recorded data at four budgets, beside what can be had without privacy. */
final class RealData implements Experiment {
  static final double RADIUS = 20;
  private static final int REPETITIONS = 3;
  private static final double[] EPSILONS = {0.5, 1, 2, 4};
  private static final double[] RATES = {0.1, 0.3, 1, 3, 10, 30};
  private static final int[] FTRL_ROUNDS = {30, 100, 400, 2000};
  private static final double[] MULTIPLIERS = {2, 4, 8, 16, 32};
  private static final int[] SRGD_ROUNDS = {6, 12, 25, 60, 150};
  private static final double[] BETAS = {0.0125, 0.025, 0.05, 0.1, 0.2, 0.4};
  private static final String LOSS_NAME = "in-sample log-loss";

  /** A set and its binary task. */
  enum Task {
    A9A("a9a") {
      @Override
      RealSet load(Path folder) throws IOException {
        return RealSet.a9a(folder);
      }
    },
    /** Lodgepole pine (the second class) against the six others. */
    COVTYPE("covtype") {
      @Override
      RealSet load(Path folder) throws IOException {
        return RealSet.covtype(folder).relabelled(kind -> kind == 1 ? 1 : 0);
      }
    },
    HFLIGHTS("hflights-b") {
      @Override
      RealSet load(Path folder) throws IOException {
        return RealSet.flights(folder);
      }
    },
    /** The same in a drawn order, which takes the drift out: a control. */
    HFLIGHTS_SHUFFLED("hflights-b-shuffled") {
      @Override
      RealSet load(Path folder) throws IOException {
        return RealSet.flights(folder).shuffled(1);
      }
    };

    final String label;

    Task(String label) {
      this.label = label;
    }

    abstract RealSet load(Path folder) throws IOException;
  }

  /** An algorithm of the table. */
  private enum Contender {
    FTRL("Private FTRL"),
    SRGD("DP-SRGD");

    final String label;

    Contender(String label) {
      this.label = label;
    }

    boolean holds(Recipe recipe) {
      return recipe.method().isFtrl() == (this == FTRL);
    }
  }

  @Override
  public String name() {
    return "real-data";
  }

  private static double mu(double epsilon) {
    return epsilon == Double.POSITIVE_INFINITY
        ? epsilon
        : new Budget(epsilon, Recipe.DELTA).muLimit();
  }

  private static List<Recipe> grid() {
    List<Recipe> recipes = new ArrayList<>();
    for (double epsilon : epsilons()) {
      double mu = mu(epsilon);
      Noise noise = mu == Double.POSITIVE_INFINITY ? Noise.NONE : Noise.BLT;
      recipes.addAll(Grid.of(Method.FTRL, noise, mu, FTRL_ROUNDS, MULTIPLIERS));
      recipes.addAll(Grid.of(Method.FTRL_FIXED, noise, mu, FTRL_ROUNDS, MULTIPLIERS));
      recipes.addAll(Grid.of(Method.ACCELERATED, noise, mu, SRGD_ROUNDS, BETAS));
    }
    return recipes;
  }

  private static double[] epsilons() {
    double[] all = Arrays.copyOf(EPSILONS, EPSILONS.length + 1);
    all[EPSILONS.length] = Double.POSITIVE_INFINITY;
    return all;
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    Table summary = new Table(
        "set",
        "algorithm",
        "epsilon",
        "excess risk",
        "least",
        "largest",
        LOSS_NAME,
        "accuracy",
        "AUC",
        "progressive log-loss",
        "its accuracy",
        "its AUC",
        "rounds",
        "batch",
        "steps",
        "step");
    Table all =
        new Table("set", "method", "mu", "rounds", "batch", "step", LOSS_NAME, "least", "largest");
    Map<String, Chart> charts = new LinkedHashMap<>();
    Optional<Path> folder = Home.data();
    if (folder.isEmpty()) {
      System.err.println(
          "real-data: skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(summary, all, charts);
    }
    for (Task task : quick ? new Task[] {Task.COVTYPE} : Task.values()) {
      System.err.println("real-data: " + task.label);
      new OneSet(task, task.load(folder.get()), quick ? 1 : REPETITIONS).run(summary, all, charts);
    }
    return new Outcome(summary, all, charts);
  }

  /** What is done with one set. */
  private static final class OneSet {
    private final Task task;
    private final RealSet set;
    private final int repetitions;
    private final double[] optimum;
    private final double least;

    OneSet(Task task, RealSet set, int repetitions) {
      this.task = task;
      this.set = set;
      this.repetitions = repetitions;
      this.optimum = Optimum.inBall(set, RADIUS, 1e-5);
      this.least = Scores.of(set, optimum).logLoss();
      System.err.printf(
          Locale.ROOT, "%s: optimum in the ball of radius %s: %.6f%n", task.label, RADIUS, least);
    }

    void run(Table summary, Table all, Map<String, Chart> charts) {
      double onePass = addOnePass(summary);
      List<Result> results = Grid.run(task.label, grid(), repetitions, r -> recipe -> {
        double[] weights = Pass.weights(recipe.plan(set.count(), set.dimension(), RADIUS), set, r);
        return new double[] {Scores.of(set, weights).logLoss()};
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
      progressive.level("SGD, one pass, no privacy", EPSILONS[0], 4, onePass);
      progressive.level("optimum", EPSILONS[0], 4, least);
      charts.put(task.label + "-excess", excess);
      charts.put(task.label + "-progressive", progressive);
    }

    private double addOnePass(Table summary) {
      double best = Double.POSITIVE_INFINITY;
      double bestRate = Double.NaN;
      for (double rate : RATES) {
        double loss = Optimum.onePass(set, rate).logLoss();
        if (loss < best) {
          best = loss;
          bestRate = rate;
        }
      }
      Scores scores = Optimum.onePass(set, bestRate);
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
      Scores least = Scores.of(set, optimum);
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
        Contender contender, List<Result> results, Table summary, Chart excess, Chart progressive) {
      double[][] points = new double[4][EPSILONS.length];
      double[][] losses = new double[3][EPSILONS.length];
      double[] epsilons = epsilons();
      for (int e = 0; e < epsilons.length; e++) {
        double mu = mu(epsilons[e]);
        Result best = Grid.best(results, 0, recipe -> contender.holds(recipe) && recipe.mu() == mu);
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
            recipe.method() == Method.FTRL
                ? "decreasing"
                : contender == Contender.SRGD ? "beta" : "fixed",
            recipe.step());
        if (e == EPSILONS.length) {
          excess.level(contender.label + ", no noise", EPSILONS[0], 4, best.mean(0) - least);
          progressive.level(contender.label + ", no noise", EPSILONS[0], 4, full.mean(3));
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
      return Grid.run(task.label + ", best", List.of(recipe), repetitions, r -> each -> {
            Scores before = new Scores(set.count());
            double[] weights = Pass.weights(
                each.plan(set.count(), set.dimension(), RADIUS),
                set,
                r,
                (place, example, published) -> predict(before, example, published));
            Scores after = Scores.of(set, weights);
            return new double[] {
              after.logLoss(), after.accuracy(), after.auc(),
              before.logLoss(), before.accuracy(), before.auc()
            };
          })
          .get(0);
    }

    private static void predict(Scores scores, Example example, double[] published) {
      scores.add(example.dot(published), example.label());
    }
  }
}
