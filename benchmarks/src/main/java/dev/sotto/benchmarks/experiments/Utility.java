package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.RecipeGrid.Result;
import dev.sotto.benchmarks.table.ResultTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** The cost of privacy for both algorithms on a stream with a known distribution. */
final class Utility implements Experiment {
  static final int DIMENSION = 50;
  static final double RADIUS = 8;
  static final double MINIMISER_NORM = 6;
  private static final int COUNT = 200_000;
  private static final int REPETITIONS = 5;
  private static final double[] MUS = {0.2, 0.05};
  private static final int[] FTRL_ROUNDS = {6, 10, 20, 40, 100, 400, 2000, 10_000};
  private static final double[] MULTIPLIERS = {0.5, 1, 2, 4, 8, 16, 32, 64, 128};
  private static final int[] SRGD_ROUNDS = {4, 6, 8, 10, 14, 16, 20, 40, 100};
  private static final double[] BETAS = {0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.25};

  /** A line of the table. */
  record Line(String name, double mu, Predicate<Recipe> holds) {}

  @Override
  public String name() {
    return "utility";
  }

  /** The grid, with a largest number of rounds for FTRL. */
  static List<Recipe> grid(int mostRounds) {
    int[] ftrlRounds = Arrays.stream(FTRL_ROUNDS).filter(t -> t <= mostRounds).toArray();
    List<Recipe> recipes = new ArrayList<>();
    double none = Double.POSITIVE_INFINITY;
    for (ExperimentMethod method :
        new ExperimentMethod[] {ExperimentMethod.FTRL, ExperimentMethod.FTRL_FIXED}) {
      recipes.addAll(RecipeGrid.of(method, NoiseChoice.NONE, none, ftrlRounds, MULTIPLIERS));
      for (double mu : MUS) {
        for (NoiseChoice noise :
            new NoiseChoice[] {NoiseChoice.INDEPENDENT, NoiseChoice.TREE, NoiseChoice.BLT}) {
          recipes.addAll(RecipeGrid.of(method, noise, mu, ftrlRounds, MULTIPLIERS));
        }
      }
    }
    recipes.addAll(
        RecipeGrid.of(ExperimentMethod.ACCELERATED, NoiseChoice.NONE, none, SRGD_ROUNDS, BETAS));
    for (double mu : MUS) {
      for (NoiseChoice noise : new NoiseChoice[] {NoiseChoice.TREE, NoiseChoice.BLT}) {
        recipes.addAll(RecipeGrid.of(ExperimentMethod.ACCELERATED, noise, mu, SRGD_ROUNDS, BETAS));
      }
    }
    return recipes;
  }

  /** The stream of one repetition, and the excess risks of its recipes. */
  static RecipeGrid.Measurement repetition(int count, int number) {
    LogitStream stream =
        LogitStream.draw(count, LogitStream.even(DIMENSION), MINIMISER_NORM, 1000 + number);
    return recipe -> {
      double[] weights =
          LearningPass.weights(recipe.plan(count, DIMENSION, RADIUS), stream, number);
      return new double[] {stream.excess(weights)};
    };
  }

  /** The lines in the order of the table. */
  static List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    double none = Double.POSITIVE_INFINITY;
    lines.add(line("FTRL, no noise", none, true, NoiseChoice.NONE));
    lines.add(line("DP-SRGD, no noise", none, false, NoiseChoice.NONE));
    for (double mu : MUS) {
      lines.add(line("FTRL, independent", mu, true, NoiseChoice.INDEPENDENT));
      lines.add(line("FTRL, binary-tree", mu, true, NoiseChoice.TREE));
      lines.add(line("FTRL, blt", mu, true, NoiseChoice.BLT));
      lines.add(line("DP-SRGD, binary-tree", mu, false, NoiseChoice.TREE));
      lines.add(line("DP-SRGD, blt", mu, false, NoiseChoice.BLT));
    }
    return lines;
  }

  private static Line line(String name, double mu, boolean ftrl, NoiseChoice noise) {
    return new Line(
        name,
        mu,
        recipe -> recipe.mu() == mu && recipe.method().isFtrl() == ftrl && recipe.noise() == noise);
  }

  @Override
  public Outcome run(boolean quick) {
    int count = quick ? COUNT / 10 : COUNT;
    List<Result> results = RecipeGrid.run(
        name(), grid(quick ? 400 : 10_000), quick ? 2 : REPETITIONS, r -> repetition(count, r));
    return outcome(results, count);
  }

  static Outcome outcome(List<Result> results, int count) {
    ResultTable summary = new ResultTable(
        "algorithm, noise",
        "mu",
        "excess risk",
        "least",
        "largest",
        "rounds",
        "batch",
        "steps",
        "step");
    for (Line line : lines()) {
      for (ExperimentMethod method : ExperimentMethod.values()) {
        Predicate<Recipe> holds = line.holds().and(recipe -> recipe.method() == method);
        if (results.stream().map(Result::recipe).noneMatch(holds)) {
          continue;
        }
        Result best = RecipeGrid.best(results, 0, holds);
        Recipe recipe = best.recipe();
        summary.add(
            line.name(),
            line.mu(),
            best.mean(0),
            best.min(0),
            best.max(0),
            recipe.rounds(),
            recipe.batch(count),
            steps(method),
            recipe.step());
      }
    }
    return new Outcome(summary, everything(results, count), charts(results));
  }

  private static String steps(ExperimentMethod method) {
    return switch (method) {
      case FTRL -> "decreasing";
      case FTRL_FIXED -> "fixed";
      default -> "beta";
    };
  }

  /** Every recipe with its excess risk. */
  static ResultTable everything(List<Result> results, int count) {
    ResultTable all = new ResultTable(
        "method", "noise", "mu", "rounds", "batch", "step", "excess", "least", "largest");
    for (Result each : results) {
      Recipe recipe = each.recipe();
      all.add(
          recipe.method().label.replace(",", ""),
          recipe.noise().label,
          recipe.mu(),
          recipe.rounds(),
          recipe.batch(count),
          recipe.step(),
          each.mean(0),
          each.min(0),
          each.max(0));
    }
    return all;
  }

  private static Map<String, Chart> charts(List<Result> results) {
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (double mu : MUS) {
      Chart chart = new Chart(
          String.format(Locale.ROOT, "Excess risk over rounds, mu = %s", mu),
          "rounds T (one pass, batch n / T)",
          true,
          "excess population risk, best step",
          true);
      for (Line line : lines()) {
        if (line.mu() == mu || line.mu() == Double.POSITIVE_INFINITY) {
          byRounds(chart, line.name(), results, line.holds());
        }
      }
      charts.put("mu" + mu, chart);
    }
    return charts;
  }

  private static void byRounds(
      Chart chart, String name, List<Result> results, Predicate<Recipe> holds) {
    int[] rounds = results.stream()
        .map(Result::recipe)
        .filter(holds)
        .mapToInt(Recipe::rounds)
        .sorted()
        .distinct()
        .toArray();
    double[][] points = new double[4][rounds.length];
    for (int i = 0; i < rounds.length; i++) {
      int t = rounds[i];
      Result best = RecipeGrid.best(results, 0, holds.and(recipe -> recipe.rounds() == t));
      points[0][i] = t;
      points[1][i] = best.mean(0);
      points[2][i] = best.min(0);
      points[3][i] = best.max(0);
    }
    chart.line(name, points[0], points[1], points[2], points[3]);
  }
}
