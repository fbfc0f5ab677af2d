package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.BallSolvers;
import dev.sotto.learner.optimizer.resque.PoolSchedule;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Acceptance checks 14 and 15 of the page of "ReSQueing Parallel and Private Stochastic Convex
 * Optimization": what pools of gradients and one pass over a smoothed loss learn, beside other ways
 * to the same guarantee.
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
  private static final List<Double> BENDS = List.of(0.5, 1.0, 2.0, 4.0, 8.0);

  /**
   * One way to learn a block.
   *
   * @param gradients of a slot
   * @param page the page's figure; null where it has none
   */
  private record Case(
      String check,
      String what,
      String settings,
      long rounds,
      double gradients,
      Double page,
      Plan plan) {
    Case(String what, String settings, long rounds, double gradients, Plan plan) {
      this("14", what, settings, rounds, gradients, null, plan);
    }

    /** On the page too. */
    Case on(double itsPage) {
      return new Case(check, what, settings, rounds, gradients, itsPage, plan);
    }

    /** Of check 15. */
    Case of15() {
      return new Case("15", what, settings, rounds, gradients, page, plan);
    }
  }

  private record Row(long slots, Measured<Case> measured) {
    Case of() {
      return measured.of();
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  @Override
  public String name() {
    return "resque";
  }

  @Override
  public String question() {
    return "Do pools and one pass learn what the page of the paper says?";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  @Override
  public Outcome run(Trials trials) {
    AbsoluteStream data = new AbsoluteStream(SLOTS, DIMENSION, 11);
    double least = data.least();
    PoolCase block = new PoolCase(SLOTS, DIMENSION, BUDGET, Adjacency.ZERO_OUT);
    pools(trials, block, (each, run) ->
        new double[] {data.loss(LearningPass.weights(each.plan(), data, 1 + run)) - least});
    onePass(trials);
    var table = new Columns<Row>()
        .add("check", row -> row.of().check())
        .add("what", row -> row.of().what())
        .add("settings", row -> row.of().settings())
        .add("slots", Row::slots)
        .add("synchronous rounds", row -> row.of().rounds())
        .add("gradients of a slot", row -> row.of().gradients())
        .add("value", row -> row.measured().mean(0))
        .add("standard error", row -> row.measured().error(0))
        .add("the page's", row -> row.of().page() == null ? "" : row.of().page().toString())
        .of(rows);
    return new Outcome(table, table, charts);
  }

  private static PoolSchedule schedule(
      long rounds, int points, double rate, double rho, double pull) {
    return new PoolSchedule(
        rounds, points, rate, new BallProblem(1, rho, rho, pull / rho), BallSolvers.WEIGHTED_SGD);
  }

  private static Case pool(PoolCase block, long rounds, double rate, double rho, double pull) {
    return new Case(
        "resque",
        "rate " + rate + ", lambda " + pull / rho,
        rounds,
        rounds * POINTS * rate,
        block.pools(schedule(rounds, POINTS, rate, rho, pull)));
  }

  private static Case descent(PoolCase block, long rounds, double rate, String how, double step) {
    return new Case(
        "plain descent",
        "rate " + (float) rate + ", " + how,
        rounds,
        rounds * rate,
        block.descent(rounds, rate, step));
  }

  /** Check 14: excess over the smallest loss of the block. */
  private void pools(Trials trials, PoolCase block, Trials.Measurement<Case> excess) {
    List<Case> page = List.of(
        pool(block, 28, 0.05, RHO, 1).on(0.0248),
        pool(block, 28, 0.05, RHO, 0.25).on(0.0014),
        pool(block, 28, 1, RHO, 1),
        pool(block, 28, 1, RHO, 0.25), // steps are R / (L sqrt(T)), the worst case's
        descent(block, 28, 0.8, "step 1 / sqrt(T)", 1 / Math.sqrt(28)).on(0.0287),
        descent(block, 448, 0.05, "step 1 / sqrt(T)", 1 / Math.sqrt(448)).on(0.0026));
    int runs = trials.choose(10, 2);
    add(SLOTS, trials.run("check 14", page, runs, excess));
    add(
        SLOTS,
        List.of(
            best(
                trials,
                runs,
                excess,
                BENDS,
                bend -> batches("clipped-ac-sa", bend, block.acSa(bend))),
            best(
                trials, runs, excess, BENDS, bend -> batches("clipped-sgd", bend, block.sgd(bend))),
            best(trials, runs, excess, STEPS, step -> ftrl(100, step, block))));
    Chart chart = new Chart(
        "Form P beside plain descent at epsilon 1: one block of 20,000, best setting of each",
        "synchronous rounds",
        true,
        "excess empirical loss",
        true);
    for (double rate : new double[] {0.05, 1}) {
      List<Measured<Case>> line = new ArrayList<>();
      for (int rounds : trials.choose(List.of(4, 7, 14, 28, 56), List.of(7, 28))) {
        line.add(best(
            trials,
            runs,
            excess,
            shapes(),
            shape -> new Case(
                "resque",
                "rate " + rate + ", best rho " + shape[0] + " pull " + shape[1],
                rounds,
                rounds * POINTS * rate,
                block.pools(schedule(rounds, POINTS, rate, shape[0], shape[1])))));
      }
      add(SLOTS, line);
      flat(chart, "pools of 16 points, rate " + rate, line);
    }
    List<Measured<Case>> line = new ArrayList<>();
    for (int rounds : trials.choose(List.of(7, 14, 28, 56, 112, 224, 448), List.of(28))) {
      double rate = Math.min(1, TOUCHES / rounds);
      line.add(best(
          trials,
          runs,
          excess,
          STEPS,
          step -> descent(block, rounds, rate, "best step " + step, step)));
    }
    add(SLOTS, line);
    flat(chart, "plain descent, one point", line);
    charts.put("rounds", chart);
  }

  private static void flat(Chart chart, String name, List<Measured<Case>> line) {
    chart.line(name, line, each -> each.of().rounds(), each -> each.mean(0));
  }

  private static Case batches(String name, double bend, Plan plan) {
    long batches = plan.block().queries();
    return new Case(name, "best smoothness " + bend, batches, 1, plan);
  }

  private static Case ftrl(int rounds, double step, PoolCase block) {
    return new Case("private-ftrl", "best step " + step, rounds, 1, block.ftrl(rounds, step));
  }

  private static List<double[]> shapes() {
    List<double[]> shapes = new ArrayList<>();
    for (double rho : RHOS) {
      for (double pull : PULLS) {
        shapes.add(new double[] {rho, pull});
      }
    }
    return shapes;
  }

  /** The best of a grid in hindsight: chosen in two runs, measured in all. */
  private static <T> Measured<Case> best(
      Trials trials,
      int runs,
      Trials.Measurement<Case> measurement,
      List<T> grid,
      Function<T, Case> make) {
    List<Case> cases = grid.stream().map(make).toList();
    Case best = Measured.best(trials.run("grid", cases, 2, measurement), 0).of();
    return trials.run(best.what(), List.of(best), runs, measurement).get(0);
  }

  private void add(long slots, List<Measured<Case>> measured) {
    measured.forEach(each -> rows.add(new Row(slots, each)));
  }

  /** Check 15, and the same over block sizes: excess over the smallest loss of fresh records. */
  private void onePass(Trials trials) {
    AbsoluteStream fresh = new AbsoluteStream(trials.choose(200_000, 20_000), DIMENSION, 1234);
    double optimum = fresh.loss(AbsoluteStream.truth(DIMENSION));
    Map<String, List<Row>> lines = new LinkedHashMap<>();
    for (int count : trials.choose(List.of(4096, 16_384, 65_536, 262_144), List.of(4096))) {
      List<AbsoluteStream> streams = IntStream.range(0, trials.choose(count > 100_000 ? 2 : 5, 1))
          .mapToObj(seed -> new AbsoluteStream(count, DIMENSION, 11 + seed))
          .toList();
      Trials.Measurement<Case> risk = (each, seed) -> new double[] {
        fresh.loss(LearningPass.weights(each.plan(), streams.get(seed), 1 + seed)) - optimum
      };
      PoolCase block = new PoolCase(count, DIMENSION, BUDGET, Adjacency.REPLACE_ONE);
      Case pass = new Case("Form S", "rho R / sqrt(n)", 1, 1, block.onePass()).of15();
      Case pools = new Case(
              "Form P", "32 x 8, rate 1", 32, 256, block.pools(schedule(32, 8, 1, RHO, 0.025)))
          .of15();
      List<Case> steps =
          STEPS.stream().map(step -> ftrl(256, step, block).of15()).toList();
      Measured<Case> ftrl =
          Measured.best(trials.run("FTRL, " + count, steps, streams.size(), risk), 0);
      List<Measured<Case>> both = trials.run(
          "check 15, " + count,
          List.of(count == 65_536 ? pass.on(1.5e-4) : pass, pools),
          streams.size(),
          risk);
      add(count, List.of(both.get(0), ftrl, both.get(1)));
      put(lines, "Form S, one pass", count, both.get(0));
      put(lines, "private-ftrl, best step", count, ftrl);
      put(lines, "Form P, 32 rounds of 8 points", count, both.get(1));
    }
    Chart chart = new Chart(
        "One block of an absolute loss, replace-one, epsilon 1",
        "slots",
        true,
        "excess population loss",
        true);
    lines.forEach(
        (name, line) -> chart.line(name, line, Row::slots, row -> row.measured().mean(0)));
    charts.put("one-pass", chart);
  }

  private static void put(
      Map<String, List<Row>> lines, String name, long slots, Measured<Case> measured) {
    lines.computeIfAbsent(name, none -> new ArrayList<>()).add(new Row(slots, measured));
  }
}
