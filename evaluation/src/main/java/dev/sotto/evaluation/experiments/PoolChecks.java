package dev.sotto.evaluation.experiments;

import dev.sotto.evaluation.text.ResultTable;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.BallSolvers;
import dev.sotto.learner.optimizer.resque.PoolSchedule;
import dev.sotto.learner.training.Plan;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Acceptance checks 13 to 15 of the page of "ReSQueing Parallel and Private Stochastic Convex
 * Optimization": how far two runs part, and what pools of gradients and one pass over a smoothed
 * loss learn, beside other ways to the same guarantee.
 */
final class PoolChecks implements Experiment {
  private static final Budget BUDGET = new Budget(1, 1e-6);
  private static final int SLOTS = 20_000;
  private static final int DIMENSION = 20;
  private static final double RHO = 0.05;
  private static final int POINTS = 16;

  /** Gradients of a slot in a block, on average: those of 448 queries at rate 0.05. */
  private static final double TOUCHES = 22.4;

  private static final double[] RHOS = {RHO, 0.15, 0.5};
  private static final double[] PULLS = {0.025, 0.125, 0.25, 1};
  private static final List<Double> STEPS = List.of(0.03, 0.1, 0.3, 1.0, 3.0);
  private static final double NONE = Double.NaN;

  private final ResultTable table = new ResultTable(
      "check",
      "what",
      "settings",
      "slots",
      "synchronous rounds",
      "gradients of a slot",
      "value",
      "standard error",
      "the page's");
  private final Map<String, Chart> charts = new LinkedHashMap<>();
  private int runs;
  private boolean quick;

  @Override
  public String name() {
    return "resque";
  }

  @Override
  public Outcome run(boolean fast) {
    quick = fast;
    runs = quick ? 2 : 10;
    stability();
    pools();
    onePass();
    return new Outcome(table, table, charts);
  }

  /** One figure; of the page's where it has none, NaN. */
  private void add(
      String check, String what, String settings, double[] work, Mean value, double page) {
    table.add(
        check,
        what,
        settings,
        (long) work[0],
        (long) work[1],
        work[2],
        value.mean(),
        value.error(),
        Double.isNaN(page) ? "" : Double.toString(page));
    System.err.println("resque: " + check + " " + what + " " + settings + " "
        + Arrays.toString(work) + " " + (float) value.mean() + " +- " + (float) value.error());
  }

  /** Over repetitions. */
  private record Mean(double mean, double error) {
    static Mean of(int count, IntToDoubleFunction run) {
      double[] all = IntStream.range(0, count).parallel().mapToDouble(run).toArray();
      double mean = Arrays.stream(all).average().orElseThrow();
      double squares =
          Arrays.stream(all).map(each -> (each - mean) * (each - mean)).sum();
      return new Mean(mean, Math.sqrt(squares / Math.max(1, count - 1) / count));
    }
  }

  private void stability() {
    double[] ratios = {1.0 / 3, 1, 3, 10, 20, 50};
    double[] last = new double[ratios.length];
    double[] averages = new double[ratios.length];
    double[] bounds = new double[ratios.length];
    for (int i = 0; i < ratios.length; i++) {
      StabilityRuns pairs = new StabilityRuns(ratios[i]);
      double[] largest = pairs.largest(quick ? 20 : 200, 7);
      last[i] = largest[0];
      averages[i] = largest[1];
      bounds[i] = pairs.bound();
      String ratio = "rho / r " + (float) ratios[i];
      boolean page = ratios[i] == 20;
      double[] work = {200, 1, 2.56};
      add(
          "13",
          "last points",
          ratio,
          work,
          new Mean(last[i], 0),
          page ? 2.03 : i == 0 ? 4.3 : NONE);
      add("13", "averages", ratio, work, new Mean(averages[i], 0), page ? 1.69 : NONE);
      add("13", "formula", ratio, work, new Mean(bounds[i], 0), page ? 3.00 : NONE);
    }
    Chart chart = new Chart(
        "How far two runs part that differ in one slot",
        "rho / r",
        true,
        "largest of 200, over b eta L",
        true);
    chart.line("last points", ratios, last, last, last);
    chart.line("averages", ratios, averages, averages, averages);
    double[] from = Arrays.copyOfRange(ratios, 3, ratios.length); // below it says nothing
    double[] known = Arrays.copyOfRange(bounds, 3, ratios.length);
    charts.put("stability", chart.line("formula", from, known, known, known));
  }

  private static PoolSchedule schedule(
      long rounds, int points, double rate, double rho, double pull) {
    return new PoolSchedule(
        rounds, points, rate, new BallProblem(1, rho, rho, pull / rho), BallSolvers.WEIGHTED_SGD);
  }

  private void pools() {
    PoolCase block = new PoolCase(SLOTS, DIMENSION, BUDGET, Adjacency.ZERO_OUT);
    AbsoluteStream data = new AbsoluteStream(SLOTS, DIMENSION, 11);
    double least = data.least();
    for (double rate : new double[] {0.05, 1}) {
      for (double pull : new double[] {1, 0.25}) {
        Plan plan = block.pools(schedule(28, POINTS, rate, RHO, pull));
        double page = rate < 1 ? pull == 1 ? 0.0248 : 0.0014 : NONE;
        String settings = "rate " + rate + ", lambda " + pull / RHO;
        Mean value = excess(plan, data, least, runs);
        add("14", "resque", settings, work(28, 28 * POINTS * rate), value, page);
      }
    }
    for (int passes : new int[] {28, 448}) {
      double rate = passes == 28 ? 0.8 : 0.05;
      double step = 1 / Math.sqrt(passes); // R / (L sqrt(T)), the worst case's
      Mean value = excess(block.descent(passes, rate, step), data, least, runs);
      double page = passes == 28 ? 0.0287 : 0.0026;
      String settings = "rate " + rate + ", step 1 / sqrt(T)";
      add("14", "plain descent", settings, work(passes, passes * rate), value, page);
    }
    baselines(block, data, least);
    rounds(block, data, least);
  }

  private void baselines(PoolCase block, AbsoluteStream data, double least) {
    List<Double> bends = List.of(0.5, 1.0, 2.0, 4.0, 8.0);
    for (boolean accelerated : new boolean[] {true, false}) {
      DoubleFunction<Plan> make = accelerated ? block::acSa : block::sgd;
      Best<Double> best = best(bends, bend -> make.apply(bend), data, least);
      long batches = make.apply(best.of()).block().queries();
      String name = accelerated ? "clipped-ac-sa" : "clipped-sgd";
      add("14", name, "best smoothness " + best.of(), work(batches, 1), best.value(), NONE);
    }
    Best<Double> best = best(STEPS, step -> block.ftrl(100, step), data, least);
    add("14", "private-ftrl", "best step " + best.of(), work(100, 1), best.value(), NONE);
  }

  /** Excess over rounds, each with its best pull or step. */
  private void rounds(PoolCase block, AbsoluteStream data, double least) {
    double[] few = quick ? new double[] {7, 28} : new double[] {4, 7, 14, 28, 56};
    double[] many = quick ? new double[] {28} : new double[] {7, 14, 28, 56, 112, 224, 448};
    Chart chart = new Chart(
        "Form P beside plain descent at epsilon 1: one block of 20,000, best setting of each",
        "synchronous rounds",
        true,
        "excess empirical loss",
        true);
    for (double rate : new double[] {0.05, 1}) {
      double[] mean = new double[few.length];
      for (int i = 0; i < few.length; i++) {
        long rounds = (long) few[i];
        Best<double[]> best = best(
            grid(),
            each -> block.pools(schedule(rounds, POINTS, rate, each[0], each[1])),
            data,
            least);
        mean[i] = best.value().mean();
        String settings = "rate " + rate + ", best rho " + best.of()[0] + " pull " + best.of()[1];
        add("14", "resque", settings, work(rounds, rounds * POINTS * rate), best.value(), NONE);
      }
      chart.line("pools of 16 points, rate " + rate, few, mean, mean, mean);
    }
    double[] mean = new double[many.length];
    for (int i = 0; i < many.length; i++) {
      long rounds = (long) many[i];
      double rate = Math.min(1, TOUCHES / rounds);
      Best<Double> best = best(STEPS, step -> block.descent(rounds, rate, step), data, least);
      mean[i] = best.value().mean();
      String settings = "rate " + (float) rate + ", best step " + best.of();
      add("14", "plain descent", settings, work(rounds, rounds * rate), best.value(), NONE);
    }
    chart.line("plain descent, one point", many, mean, mean, mean);
    charts.put("rounds", chart);
  }

  private static double[] work(double rounds, double gradients) {
    return new double[] {SLOTS, rounds, gradients};
  }

  private static List<double[]> grid() {
    return Arrays.stream(RHOS)
        .boxed()
        .flatMap(rho -> Arrays.stream(PULLS).mapToObj(pull -> new double[] {rho, pull}))
        .toList();
  }

  /** What the product's own learner makes of the block, noise and coins of a known key. */
  private static Mean excess(Plan plan, AbsoluteStream data, double least, int runs) {
    return Mean.of(runs, run -> data.loss(LearningPass.weights(plan, data, 1 + run)) - least);
  }

  /** The best of a grid in hindsight. */
  private record Best<T>(T of, Mean value) {}

  /** Chosen in two runs, measured in all. */
  private <T> Best<T> best(
      List<T> grid, Function<T, Plan> plan, AbsoluteStream data, double least) {
    T best = grid.stream()
        .map(each -> new Best<>(each, excess(plan.apply(each), data, least, 2)))
        .min((a, b) -> Double.compare(a.value().mean(), b.value().mean()))
        .orElseThrow()
        .of();
    return new Best<>(best, excess(plan.apply(best), data, least, runs));
  }

  /** Check 15, and the same over block sizes. */
  private void onePass() {
    AbsoluteStream fresh = new AbsoluteStream(quick ? 20_000 : 200_000, DIMENSION, 1234);
    double optimum = fresh.loss(AbsoluteStream.truth(DIMENSION));
    int[] sizes = quick ? new int[] {4096} : new int[] {4096, 16_384, 65_536, 262_144};
    double[] slots = Arrays.stream(sizes).asDoubleStream().toArray();
    Map<String, double[]> lines = new LinkedHashMap<>();
    for (int i = 0; i < sizes.length; i++) {
      int count = sizes[i];
      List<AbsoluteStream> streams = IntStream.range(0, quick ? 1 : count > 100_000 ? 2 : 5)
          .mapToObj(seed -> new AbsoluteStream(count, DIMENSION, 11 + seed))
          .toList();
      int repeated = streams.size();
      PoolCase block = new PoolCase(count, DIMENSION, BUDGET, Adjacency.REPLACE_ONE);
      Plan pass = block.onePass();
      Mean smoothed =
          Mean.of(repeated, seed -> risk(pass, streams.get(seed), seed, fresh) - optimum);
      Best<Double> ftrl = STEPS.stream()
          .map(step -> {
            Plan plan = block.ftrl(256, step);
            return new Best<>(
                step,
                Mean.of(repeated, seed -> risk(plan, streams.get(seed), seed, fresh) - optimum));
          })
          .min((a, b) -> Double.compare(a.value().mean(), b.value().mean()))
          .orElseThrow();
      Plan pools = block.pools(schedule(32, 8, 1, RHO, 0.025));
      Mean pooled =
          Mean.of(repeated, seed -> risk(pools, streams.get(seed), seed, fresh) - optimum);
      double page = count == 65_536 ? 1.5e-4 : NONE;
      add("15", "Form S", "rho R / sqrt(n)", new double[] {count, 1, 1}, smoothed, page);
      String settings = "best step " + ftrl.of();
      add("15", "private-ftrl", settings, new double[] {count, 256, 1}, ftrl.value(), NONE);
      add("15", "Form P", "32 x 8, rate 1", new double[] {count, 32, 256}, pooled, NONE);
      put(lines, "Form S, one pass", i, sizes.length, smoothed.mean());
      put(lines, "private-ftrl, best step", i, sizes.length, ftrl.value().mean());
      put(lines, "Form P, 32 rounds of 8 points", i, sizes.length, pooled.mean());
    }
    Chart chart = new Chart(
        "One block of an absolute loss, replace-one, epsilon 1",
        "slots",
        true,
        "excess population loss",
        true);
    lines.forEach((name, values) -> chart.line(name, slots, values, values, values));
    charts.put("one-pass", chart);
  }

  private static double risk(Plan plan, AbsoluteStream data, int seed, AbsoluteStream fresh) {
    return fresh.loss(LearningPass.weights(plan, data, 1 + seed));
  }

  private static void put(Map<String, double[]> lines, String name, int at, int of, double value) {
    lines.computeIfAbsent(name, none -> new double[of])[at] = value;
  }
}
