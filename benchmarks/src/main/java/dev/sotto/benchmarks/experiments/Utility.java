package dev.sotto.benchmarks.experiments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cost of privacy for both algorithms on a stream with a known distribution. */
final class Utility implements Experiment {
  static final int DIMENSION = 50;
  static final double RADIUS = 8;
  static final double MINIMISER_NORM = 6;
  private static final double OPEN = Double.POSITIVE_INFINITY; // mu without noise
  private static final int COUNT = 200_000;
  private static final double[] MUS = {0.2, 0.05};
  private static final int[] FTRL_ROUNDS = {6, 10, 20, 40, 100, 400, 2000, 10_000};
  private static final double[] MULTIPLIERS = {0.5, 1, 2, 4, 8, 16, 32, 64, 128};
  private static final int[] SRGD_ROUNDS = {4, 6, 8, 10, 14, 16, 20, 40, 100};
  private static final double[] BETAS = {0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.25};

  /** A line of the table and of the plots. */
  private record Line(String name, double mu, boolean ftrl, NoiseChoice noise) {
    boolean holds(Recipe recipe) {
      return recipe.mu() == mu && recipe.method().isFtrl() == ftrl && recipe.noise() == noise;
    }
  }

  private static final List<Line> LINES = lines();

  private record Row(Line line, Measured<Recipe> best) {
    Recipe recipe() {
      return best.of();
    }
  }

  @Override
  public String name() {
    return "utility";
  }

  @Override
  public String question() {
    return "Private FTRL and DP-SRGD beside no privacy, where the truth is known";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  /** The grid, with a largest number of rounds for FTRL. */
  private static List<Recipe> grid(int mostRounds) {
    int[] ftrlRounds = Arrays.stream(FTRL_ROUNDS).filter(t -> t <= mostRounds).toArray();
    List<Recipe> recipes = new ArrayList<>();
    for (Line line : LINES) {
      if (line.ftrl()) {
        for (ExperimentMethod method :
            List.of(ExperimentMethod.FTRL, ExperimentMethod.FTRL_FIXED)) {
          recipes.addAll(Recipe.grid(method, line.noise(), line.mu(), ftrlRounds, MULTIPLIERS));
        }
      } else {
        recipes.addAll(
            Recipe.grid(ExperimentMethod.ACCELERATED, line.noise(), line.mu(), SRGD_ROUNDS, BETAS));
      }
    }
    return recipes;
  }

  private static List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("FTRL, no noise", OPEN, true, NoiseChoice.NONE));
    lines.add(new Line("DP-SRGD, no noise", OPEN, false, NoiseChoice.NONE));
    for (double mu : MUS) {
      for (NoiseChoice noise :
          List.of(NoiseChoice.INDEPENDENT, NoiseChoice.TREE, NoiseChoice.BLT)) {
        lines.add(new Line("FTRL, " + noise.label, mu, true, noise));
      }
      for (NoiseChoice noise : List.of(NoiseChoice.TREE, NoiseChoice.BLT)) {
        lines.add(new Line("DP-SRGD, " + noise.label, mu, false, noise));
      }
    }
    return lines;
  }

  /** The stream of one repetition, and the excess risks of its recipes. */
  static Trials.Measurement<Recipe> repetition(int count, int number) {
    LogitStream stream =
        LogitStream.draw(count, LogitStream.even(DIMENSION), MINIMISER_NORM, 1000 + number);
    return (recipe, r) -> {
      double[] weights =
          LearningPass.weights(recipe.plan(count, DIMENSION, RADIUS), stream, number);
      return new double[] {stream.excess(weights)};
    };
  }

  @Override
  public Outcome run(Trials trials) {
    int count = trials.choose(COUNT, COUNT / 10);
    List<Measured<Recipe>> all = trials.inTurn(
        "grid", grid(trials.choose(10_000, 400)), trials.choose(5, 2), r -> repetition(count, r));
    List<Row> best = new ArrayList<>();
    for (Line line : LINES) {
      Measured.bests(of(line, all), 0, Recipe::method)
          .forEach(each -> best.add(new Row(line, each)));
    }
    return new Outcome(
        new Columns<Row>()
            .add("algorithm, noise", row -> row.line().name())
            .add("mu", row -> row.line().mu())
            .range("excess risk", Row::best, 0)
            .add("rounds", row -> row.recipe().rounds())
            .add("batch", row -> row.recipe().batch(count))
            .add("steps", row -> row.recipe().method().steps)
            .add("step", row -> row.recipe().step())
            .of(best),
        new Columns<Measured<Recipe>>()
            .add("method", each -> each.of().method().label.replace(",", ""))
            .add("noise", each -> each.of().noise().label)
            .add("mu", each -> each.of().mu())
            .add("rounds", each -> each.of().rounds())
            .add("batch", each -> each.of().batch(count))
            .add("step", each -> each.of().step())
            .range("excess", each -> each, 0)
            .of(all),
        charts(all));
  }

  private static List<Measured<Recipe>> of(Line line, List<Measured<Recipe>> all) {
    return all.stream().filter(each -> line.holds(each.of())).toList();
  }

  private static Map<String, Chart> charts(List<Measured<Recipe>> all) {
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (double mu : MUS) {
      Chart chart = new Chart(
          String.format(Locale.ROOT, "Excess risk over rounds, mu = %s", mu),
          "rounds T (one pass, batch n / T)",
          true,
          "excess population risk, best step",
          true);
      for (Line line : LINES) {
        if (line.mu() == mu || line.mu() == OPEN) {
          chart.measured(
              line.name(), Measured.bests(of(line, all), 0, Recipe::rounds), Recipe::rounds, 0);
        }
      }
      charts.put("mu" + mu, chart);
    }
    return charts;
  }
}
