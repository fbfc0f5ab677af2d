package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.RecipeGrid.Result;
import dev.sotto.benchmarks.table.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether large batches need acceleration, as section 4.3 of the paper says. */
final class Acceleration implements Experiment {
  static final double SMOOTHNESS = 0.25; // of the loss at features of norm 1
  private static final int COUNT = 200_000;
  private static final int REPETITIONS = 3;
  private static final double MU = 0.2;
  private static final int[] ROUNDS = {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
  private static final double[] BETAS = {
    0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 4, 16, 64
  };
  private static final ExperimentMethod[] METHODS = {
    ExperimentMethod.ACCELERATED,
    ExperimentMethod.UNACCELERATED,
    ExperimentMethod.INDEPENDENT_GRADIENTS
  };

  @Override
  public String name() {
    return "acceleration";
  }

  /** What E[x x'] looks like. */
  enum Spectrum {
    /** 50 eigenvalues, all the same. */
    EVEN(LogitStream.even(Utility.DIMENSION)),
    /** 10 eigenvalues that fall geometrically, to a fiftieth of the largest. */
    UNEVEN(LogitStream.uneven(10, 0.02));

    private final double[] axes;

    Spectrum(double[] axes) {
      this.axes = axes;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static List<Recipe> grid(int[] rounds, double[] betas) {
    List<Recipe> recipes = new ArrayList<>();
    for (ExperimentMethod method : METHODS) {
      recipes.addAll(
          RecipeGrid.of(method, NoiseChoice.NONE, Double.POSITIVE_INFINITY, rounds, betas));
      NoiseChoice noise = method == ExperimentMethod.INDEPENDENT_GRADIENTS
          ? NoiseChoice.INDEPENDENT
          : NoiseChoice.BLT;
      recipes.addAll(RecipeGrid.of(method, noise, MU, rounds, betas));
    }
    return recipes;
  }

  static RecipeGrid.Measurement repetition(Spectrum spectrum, int count, int number) {
    LogitStream stream =
        LogitStream.draw(count, spectrum.axes, Utility.MINIMISER_NORM, 2000 + number);
    return recipe -> {
      var plan = recipe.plan(count, stream.dimension(), Utility.RADIUS);
      return new double[] {stream.excess(LearningPass.weights(plan, stream, number))};
    };
  }

  @Override
  public Outcome run(boolean quick) {
    int count = quick ? COUNT / 10 : COUNT;
    ResultTable all = new ResultTable(
        "spectrum",
        "method",
        "noise",
        "mu",
        "rounds",
        "batch",
        "beta",
        "excess",
        "least",
        "largest");
    ResultTable summary = new ResultTable(
        "spectrum",
        "mu",
        "steps",
        "batch",
        "rounds",
        "accelerated",
        "unaccelerated",
        "independent gradients");
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (Spectrum spectrum : Spectrum.values()) {
      List<Result> results = RecipeGrid.run(
          name() + " " + spectrum.label(),
          grid(ROUNDS, BETAS),
          quick ? 1 : REPETITIONS,
          r -> repetition(spectrum, count, r));
      results.forEach(each -> add(all, spectrum, each, count));
      for (double mu : new double[] {Double.POSITIVE_INFINITY, MU}) {
        for (boolean theory : new boolean[] {true, false}) {
          String steps = theory ? "beta >= M" : "any beta";
          Chart chart = new Chart(
              "Excess risk over batch size: " + spectrum.label() + " spectrum, "
                  + (mu == MU ? "mu = " + MU : "no noise") + ", " + steps,
              "batch B (one pass, n / B rounds)",
              true,
              "excess population risk, best of these steps",
              true);
          List<double[]> lines = new ArrayList<>();
          for (ExperimentMethod method : METHODS) {
            lines.add(draw(chart, method, results, count, mu, theory));
          }
          for (int i = 0; i < ROUNDS.length; i++) {
            summary.add(
                spectrum.label(),
                mu,
                steps,
                count / ROUNDS[i],
                ROUNDS[i],
                lines.get(0)[i],
                lines.get(1)[i],
                lines.get(2)[i]);
          }
          charts.put(
              spectrum.label() + (mu == MU ? "-mu" + MU : "") + (theory ? "-theory" : ""), chart);
        }
      }
    }
    return new Outcome(summary, all, charts);
  }

  /**
   * Best of the steps at some rounds; with the theory's, betas from the smoothness of the loss on.
   */
  static Result best(
      List<Result> results, ExperimentMethod method, double mu, int rounds, boolean theory) {
    return RecipeGrid.best(
        results,
        0,
        recipe -> recipe.method() == method
            && recipe.mu() == mu
            && recipe.rounds() == rounds
            && (!theory || recipe.step() >= SMOOTHNESS));
  }

  private static double[] draw(
      Chart chart,
      ExperimentMethod method,
      List<Result> results,
      int count,
      double mu,
      boolean theory) {
    double[][] points = new double[4][ROUNDS.length];
    for (int i = 0; i < ROUNDS.length; i++) {
      Result best = best(results, method, mu, ROUNDS[i], theory);
      points[0][i] = (double) count / ROUNDS[i];
      points[1][i] = best.mean(0);
      points[2][i] = best.min(0);
      points[3][i] = best.max(0);
    }
    chart.line(method.label, points[0], points[1], points[2], points[3]);
    return points[1];
  }

  private static void add(ResultTable all, Spectrum spectrum, Result each, int count) {
    Recipe recipe = each.recipe();
    all.add(
        spectrum.label(),
        recipe.method().label,
        recipe.noise().label,
        recipe.mu(),
        recipe.rounds(),
        recipe.batch(count),
        recipe.step(),
        each.mean(0),
        each.min(0),
        each.max(0));
  }
}
