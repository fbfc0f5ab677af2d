package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.accounting.Budget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Both algorithms on recorded data at four budgets, beside what can be had without privacy. */
final class RealData implements Experiment {
  static final double RADIUS = 20;
  private static final int REPETITIONS = 3;
  static final double[] EPSILONS = {0.5, 1, 2, 4};

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
  enum Contender {
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

  static double mu(double epsilon) {
    return epsilon == Double.POSITIVE_INFINITY
        ? epsilon
        : new Budget(epsilon, Recipe.DELTA).muLimit();
  }

  static List<Recipe> grid() {
    List<Recipe> recipes = new ArrayList<>();
    for (double epsilon : epsilons()) {
      double mu = mu(epsilon);
      NoiseChoice noise = mu == Double.POSITIVE_INFINITY ? NoiseChoice.NONE : NoiseChoice.BLT;
      recipes.addAll(RecipeGrid.of(ExperimentMethod.FTRL, noise, mu, FTRL_ROUNDS, MULTIPLIERS));
      recipes.addAll(
          RecipeGrid.of(ExperimentMethod.FTRL_FIXED, noise, mu, FTRL_ROUNDS, MULTIPLIERS));
      recipes.addAll(RecipeGrid.of(ExperimentMethod.ACCELERATED, noise, mu, SRGD_ROUNDS, BETAS));
    }
    return recipes;
  }

  static double[] epsilons() {
    double[] all = Arrays.copyOf(EPSILONS, EPSILONS.length + 1);
    all[EPSILONS.length] = Double.POSITIVE_INFINITY;
    return all;
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    ResultTable summary = new ResultTable(
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
    ResultTable all = new ResultTable(
        "set", "method", "mu", "rounds", "batch", "step", LOSS_NAME, "least", "largest");
    Map<String, Chart> charts = new LinkedHashMap<>();
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          "real-data: skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(summary, all, charts);
    }
    for (Task task : quick ? new Task[] {Task.COVTYPE} : Task.values()) {
      System.err.println("real-data: " + task.label);
      new RealRun(task, task.load(folder.get()), quick ? 1 : REPETITIONS).run(summary, all, charts);
    }
    return new Outcome(summary, all, charts);
  }
}
