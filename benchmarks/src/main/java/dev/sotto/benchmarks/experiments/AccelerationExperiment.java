package dev.sotto.benchmarks.experiments;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Whether large batches need acceleration, as section 4.3 of the paper says. */
final class AccelerationExperiment implements Experiment {
  private static final double SMOOTHNESS = 0.25; // of the loss at features of norm 1
  private static final int COUNT = 200_000;
  private static final double OPEN = Double.POSITIVE_INFINITY; // mu without noise
  private static final double MU = 0.2;
  private static final int[] ROUNDS = {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
  private static final double[] BETAS = {
    0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 4, 16, 64
  };
  private static final List<ExperimentMethod> METHODS = List.of(
      ExperimentMethod.ACCELERATED,
      ExperimentMethod.UNACCELERATED,
      ExperimentMethod.INDEPENDENT_GRADIENTS);

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

  /** One level of noise, and whether the steps are those that the theory allows. */
  private record View(Spectrum spectrum, double mu, boolean theory) {
    String steps() {
      return theory ? "beta >= M" : "any beta";
    }

    /** The best steps of a method at each number of rounds. */
    List<Measured<Recipe>> best(ExperimentMethod method, List<Measured<Recipe>> all) {
      List<Measured<Recipe>> mine = all.stream()
          .filter(each -> each.of().method() == method && each.of().mu() == mu)
          .filter(each -> !theory || each.of().step() >= SMOOTHNESS)
          .toList();
      return Measured.bests(mine, 0, Recipe::rounds);
    }

    String file() {
      return spectrum.label() + (mu == MU ? "-mu" + MU : "") + (theory ? "-theory" : "");
    }

    String title() {
      return "Excess risk over batch size: " + spectrum.label() + " spectrum, "
          + (mu == MU ? "mu = " + MU : "no noise") + ", " + steps();
    }
  }

  /** The methods beside each other at a number of rounds. */
  private record Row(View view, List<Measured<Recipe>> best) {
    int rounds() {
      return best.get(0).of().rounds();
    }
  }

  private record Case(Spectrum spectrum, Measured<Recipe> measured) {
    Recipe recipe() {
      return measured.of();
    }
  }

  @Override
  public String name() {
    return "acceleration";
  }

  @Override
  public String question() {
    return "Do few rounds of large batches need acceleration?";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  private static List<Recipe> grid() {
    List<Recipe> recipes = new ArrayList<>();
    for (ExperimentMethod method : METHODS) {
      recipes.addAll(Recipe.grid(method, NoiseChoice.NONE, OPEN, ROUNDS, BETAS));
      NoiseChoice noise = method == ExperimentMethod.INDEPENDENT_GRADIENTS
          ? NoiseChoice.INDEPENDENT
          : NoiseChoice.BLT;
      recipes.addAll(Recipe.grid(method, noise, MU, ROUNDS, BETAS));
    }
    return recipes;
  }

  static Trials.Measurement<Recipe> repetition(Spectrum spectrum, int count, int number) {
    LogitStream stream =
        LogitStream.draw(count, spectrum.axes, Utility.MINIMISER_NORM, 2000 + number);
    return (recipe, r) -> {
      var plan = recipe.plan(count, stream.dimension(), Utility.RADIUS);
      return new double[] {stream.excess(LearningPass.weights(plan, stream, number))};
    };
  }

  @Override
  public Outcome run(Trials trials) {
    int count = trials.choose(COUNT, COUNT / 10);
    List<Case> all = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (Spectrum spectrum : Spectrum.values()) {
      List<Measured<Recipe>> results = trials.inTurn(
          spectrum.label(), grid(), trials.choose(3, 1), r -> repetition(spectrum, count, r));
      results.forEach(each -> all.add(new Case(spectrum, each)));
      for (double mu : new double[] {OPEN, MU}) {
        for (boolean theory : new boolean[] {true, false}) {
          View view = new View(spectrum, mu, theory);
          List<List<Measured<Recipe>>> lines =
              METHODS.stream().map(method -> view.best(method, results)).toList();
          IntStream.range(0, ROUNDS.length)
              .mapToObj(
                  i -> new Row(view, lines.stream().map(line -> line.get(i)).toList()))
              .forEach(rows::add);
          charts.put(view.file(), chart(view, lines, count));
        }
      }
    }
    return new Outcome(
        new Columns<Row>()
            .add("spectrum", row -> row.view().spectrum().label())
            .add("mu", row -> row.view().mu())
            .add("steps", row -> row.view().steps())
            .add("batch", row -> count / row.rounds())
            .add("rounds", Row::rounds)
            .add("accelerated", row -> row.best().get(0).mean(0))
            .add("unaccelerated", row -> row.best().get(1).mean(0))
            .add("independent gradients", row -> row.best().get(2).mean(0))
            .of(rows),
        new Columns<Case>()
            .add("spectrum", each -> each.spectrum().label())
            .add("method", each -> each.recipe().method().label)
            .add("noise", each -> each.recipe().noise().label)
            .add("mu", each -> each.recipe().mu())
            .add("rounds", each -> each.recipe().rounds())
            .add("batch", each -> each.recipe().batch(count))
            .add("beta", each -> each.recipe().step())
            .range("excess", Case::measured, 0)
            .of(all),
        charts);
  }

  private static Chart chart(View view, List<List<Measured<Recipe>>> lines, int count) {
    Chart chart = new Chart(
        view.title(),
        "batch B (one pass, n / B rounds)",
        true,
        "excess population risk, best of these steps",
        true);
    for (int i = 0; i < METHODS.size(); i++) {
      chart.measured(
          METHODS.get(i).label, lines.get(i), recipe -> (double) count / recipe.rounds(), 0);
    }
    return chart;
  }
}
