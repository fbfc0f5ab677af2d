package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.accounting.Budget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Both algorithms on recorded data at four budgets, beside what can be had without privacy. */
final class RealData implements Experiment {
  private static final double RADIUS = 20;
  private static final double OPEN = Double.POSITIVE_INFINITY; // epsilon without noise
  private static final List<Double> EPSILONS = List.of(0.5, 1.0, 2.0, 4.0);
  private static final double[] RATES = {0.1, 0.3, 1, 3, 10, 30};

  private static final int[] FTRL_ROUNDS = {30, 100, 400, 2000};
  private static final double[] MULTIPLIERS = {2, 4, 8, 16, 32};
  private static final int[] SRGD_ROUNDS = {6, 12, 25, 60, 150};
  private static final double[] BETAS = {0.0125, 0.025, 0.05, 0.1, 0.2, 0.4};
  private static final String LOSS_NAME = "in-sample log-loss";
  private static final int FIGURES = 13; // behind set, algorithm and epsilon
  private static final int PROGRESSIVE = 3; // of the figures of a full run

  private final ResultTable summary = new ResultTable(
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

  /** A recipe on a set. */
  private record Case(Task task, RealSet set, double epsilon, Recipe recipe) {
    double[] weights(int seed, LearningPass.Watcher watcher) {
      return LearningPass.weights(
          recipe.plan(set.count(), set.dimension(), RADIUS), set, seed, watcher);
    }

    double[] loss(int seed) {
      return new double[] {
        BinaryScores.of(set, weights(seed, (place, example, published) -> {})).logLoss()
      };
    }

    /** In sample, then progressive; loss, accuracy, AUC each. */
    double[] all(int seed) {
      BinaryScores before = new BinaryScores(set.count());
      double[] weights = weights(
          seed, (place, example, published) -> before.add(example.dot(published), example.label()));
      BinaryScores after = BinaryScores.of(set, weights);
      return DoubleStream.concat(DoubleStream.of(after.all()), DoubleStream.of(before.all()))
          .toArray();
    }
  }

  /** The best recipe of an algorithm at a budget, and all its figures. */
  private record Best(double epsilon, Measured<Case> chosen, Measured<Case> full) {}

  @Override
  public String name() {
    return "real-data";
  }

  @Override
  public String question() {
    return "Both algorithms on recorded data, at epsilon 0.5 to 4";
  }

  private static double mu(double epsilon) {
    return epsilon == OPEN ? OPEN : new Budget(epsilon, Recipe.DELTA).muLimit();
  }

  private static List<Double> epsilons() {
    List<Double> all = new ArrayList<>(EPSILONS);
    all.add(OPEN);
    return all;
  }

  private static List<Case> grid(Task task, RealSet set) {
    List<Case> cases = new ArrayList<>();
    for (double epsilon : epsilons()) {
      NoiseChoice noise = epsilon == OPEN ? NoiseChoice.NONE : NoiseChoice.BLT;
      double mu = mu(epsilon);
      List<Recipe> recipes = new ArrayList<>();
      for (ExperimentMethod ftrl : List.of(ExperimentMethod.FTRL, ExperimentMethod.FTRL_FIXED)) {
        recipes.addAll(Recipe.grid(ftrl, noise, mu, FTRL_ROUNDS, MULTIPLIERS));
      }
      recipes.addAll(Recipe.grid(ExperimentMethod.ACCELERATED, noise, mu, SRGD_ROUNDS, BETAS));
      recipes.forEach(recipe -> cases.add(new Case(task, set, epsilon, recipe)));
    }
    return cases;
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (Task task : trials.choose(List.of(Task.values()), List.of(Task.COVTYPE))) {
      RealSet set = task.load(trials.data());
      double[] optimum = Optimum.inBall(set, RADIUS, 1e-5);
      double least = BinaryScores.of(set, optimum).logLoss();
      trials.say("%s: optimum in the ball of radius %s: %.6f", task.label, RADIUS, least);
      double onePass = onePass(task, set);
      double[] known = BinaryScores.of(set, optimum).all();
      add(task, "optimum in the ball", OPEN, 0.0, 0.0, 0.0, known[0], known[1], known[2]);
      List<Measured<Case>> results = trials.run(
          task.label, grid(task, set), trials.choose(3, 1), (each, seed) -> each.loss(seed));
      all.addAll(results);
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
      for (boolean ftrl : new boolean[] {true, false}) {
        String algorithm = ftrl ? "Private FTRL" : "DP-SRGD";
        List<Best> best = best(trials, results, ftrl);
        best.forEach(each -> add(task, algorithm, least, each));
        draw(algorithm, best, least, excess, progressive);
      }
      progressive.level("SGD, one pass, no privacy", EPSILONS.get(0), 4, onePass);
      progressive.level("optimum", EPSILONS.get(0), 4, least);
      charts.put(task.label + "-excess", excess);
      charts.put(task.label + "-progressive", progressive);
    }
    return new Outcome(
        summary,
        new Columns<Measured<Case>>()
            .add("set", each -> each.of().task().label)
            .add("method", each -> each.of().recipe().method().label.replace(",", ""))
            .add("mu", each -> each.of().recipe().mu())
            .add("rounds", each -> each.of().recipe().rounds())
            .add("batch", each -> each.of().recipe().batch(each.of().set().count()))
            .add("step", each -> each.of().recipe().step())
            .range(LOSS_NAME, each -> each, 0)
            .of(all),
        charts);
  }

  /** One pass of SGD at the best of some rates; its progressive log-loss. */
  private double onePass(Task task, RealSet set) {
    double rate = DoubleStream.of(RATES)
        .boxed()
        .min((a, b) -> Double.compare(
            Optimum.onePass(set, a).logLoss(), Optimum.onePass(set, b).logLoss()))
        .orElseThrow();
    double[] scores = Optimum.onePass(set, rate).all();
    add(
        task,
        "SGD",
        OPEN,
        "-",
        "-",
        "-",
        "-",
        "-",
        "-",
        scores[0],
        scores[1],
        scores[2],
        set.count(),
        1,
        "rate",
        rate);
    return scores[0];
  }

  /** A row; a dash where there is no figure. */
  private void add(Task task, String algorithm, double epsilon, Object... figures) {
    List<Object> cells = new ArrayList<>(List.of(task.label, algorithm, epsilon));
    cells.addAll(List.of(figures));
    for (int i = figures.length; i < FIGURES; i++) {
      cells.add("-");
    }
    summary.add(cells.toArray());
  }

  private void add(Task task, String algorithm, double least, Best best) {
    Measured<Case> loss = best.chosen();
    Measured<Case> full = best.full();
    Recipe recipe = loss.of().recipe();
    add(
        task,
        algorithm,
        best.epsilon(),
        loss.mean(0) - least,
        loss.min(0) - least,
        loss.max(0) - least,
        full.mean(0),
        full.mean(1),
        full.mean(2),
        full.mean(PROGRESSIVE),
        full.mean(4),
        full.mean(5),
        recipe.rounds(),
        recipe.batch(loss.of().set().count()),
        recipe.method().steps,
        recipe.step());
  }

  private static List<Best> best(Trials trials, List<Measured<Case>> results, boolean ftrl) {
    List<Measured<Case>> mine = results.stream()
        .filter(each -> each.of().recipe().method().isFtrl() == ftrl)
        .toList();
    List<Measured<Case>> chosen = Measured.bests(mine, 0, Case::epsilon);
    List<Measured<Case>> full = trials.run(
        "the best",
        chosen.stream().map(Measured::of).toList(),
        chosen.get(0).runs().size(),
        (each, seed) -> each.all(seed));
    List<Best> best = new ArrayList<>();
    for (int i = 0; i < full.size(); i++) {
      best.add(new Best(chosen.get(i).of().epsilon(), chosen.get(i), full.get(i)));
    }
    return best;
  }

  /** The last is without noise: a level. */
  private static void draw(
      String algorithm, List<Best> best, double least, Chart excess, Chart progressive) {
    int noisy = best.size() - 1;
    double[][] points = new double[7][noisy];
    for (int i = 0; i < noisy; i++) {
      Best each = best.get(i);
      points[0][i] = each.epsilon();
      points[1][i] = each.chosen().mean(0) - least;
      points[2][i] = each.chosen().min(0) - least;
      points[3][i] = each.chosen().max(0) - least;
      points[4][i] = each.full().mean(PROGRESSIVE);
      points[5][i] = each.full().min(PROGRESSIVE);
      points[6][i] = each.full().max(PROGRESSIVE);
    }
    Best open = best.get(noisy);
    String level = algorithm + ", no noise";
    excess.level(level, EPSILONS.get(0), 4, open.chosen().mean(0) - least);
    progressive.level(level, EPSILONS.get(0), 4, open.full().mean(PROGRESSIVE));
    excess.line(algorithm, points[0], points[1], points[2], points[3]);
    progressive.line(algorithm, points[0], points[4], points[5], points[6]);
  }
}
