package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.optimizer.momentum.FullBatchSchedule;
import dev.sotto.learner.optimizer.momentum.Landscape;
import dev.sotto.learner.optimizer.momentum.SensitivityReducedNsgd;
import dev.sotto.learner.optimizer.momentum.TreeMomentumNsgd;
import dev.sotto.learner.optimizer.momentum.WindowNsgd;
import dev.sotto.learner.optimizer.momentum.WindowSchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import java.util.List;

/**
 * One way to learn an objective at a guarantee: zero-out adjacency, a record a unit.
 *
 * @param method for tables
 * @param settings for tables
 */
record MomentumCase(String method, String settings, double mu, Plan plan) {
  private static final double DELTA = 1e-6;

  /** What is learned, and from how much. */
  record Problem(
      String name, Objective objective, int dimension, double clip, double smoothness, long slots) {
    private Plan plan(
        String method, double mu, Optimizer optimizer, Mechanism mechanism, long batch) {
      return plan(method, mu, optimizer, mechanism, batch, slots / batch);
    }

    private Plan plan(
        String method,
        double mu,
        Optimizer optimizer,
        Mechanism mechanism,
        long batch,
        long rounds) {
      Budget budget = Budget.ofMu(mu, DELTA);
      return new PlanBuilder()
          .features("as the experiment says")
          .dimension(dimension)
          .objective(name, objective)
          .algorithm(method, optimizer.describe(), optimizer)
          .mechanism(mechanism)
          .clip(clip)
          .batch(batch)
          .sigma(NoiseCalibration.sigma(budget, mechanism, Adjacency.ZERO_OUT, clip, rounds))
          .adjacency(Adjacency.ZERO_OUT)
          .unit(PrivacyUnit.RECORD)
          .budget(budget)
          .build();
    }
  }

  /** Under another name. */
  MomentumCase named(String name, double times) {
    return new MomentumCase(name.replace(",", "") + " x" + (float) times, settings, mu, plan);
  }

  private static String words(String name, double value, double step) {
    return name + " " + (float) value + " step " + (float) step;
  }

  /** Momentum from a tree over rounds. */
  static MomentumCase tree(Problem problem, double mu, long batch, double alpha, double step) {
    MomentumTree tree = MomentumTree.endless(1 - alpha, problem.dimension(), mu);
    Optimizer optimizer = new TreeMomentumNsgd(step, 1 - alpha);
    return new MomentumCase(
        "tree momentum",
        words("alpha", alpha, step),
        mu,
        problem.plan("tree", mu, optimizer, tree, batch));
  }

  /** Momentum with noise in every round apart; with alpha 1 plain normalised descent. */
  static MomentumCase independent(
      Problem problem, double mu, long batch, double alpha, double step) {
    return new MomentumCase(
        alpha == 1 ? "plain normalised" : "independent noise",
        words(alpha == 1 ? "batch" : "alpha", alpha == 1 ? batch : alpha, step),
        mu,
        problem.plan(
            "momentum with noise in every round",
            mu,
            new NormalizedMomentum(step, 1 - alpha),
            NoiseChoice.INDEPENDENT.mechanism(problem.slots() / batch),
            batch));
  }

  /** Private FTRL with decreasing steps. */
  static MomentumCase ftrl(
      Problem problem, double mu, long batch, NoiseChoice noise, double times) {
    long rounds = problem.slots() / batch;
    Mechanism mechanism = noise.mechanism(rounds);
    Optimizer optimizer = new PrivateFtrl(
        new EuclideanBall(null, Double.POSITIVE_INFINITY),
        new StepSize.Decreasing(times / problem.clip()));
    return new MomentumCase(
        "FTRL",
        noise.label + " multiplier " + (float) times,
        mu,
        problem.plan("ftrl", mu, optimizer, mechanism, batch));
  }

  /** Full batches; gamma 1 is plain normalised descent. */
  static MomentumCase fullBatch(
      Problem problem, double mu, long queries, double step, boolean plain) {
    FullBatchSchedule least = FullBatchSchedule.of(
        problem.slots(),
        new FullBatchSchedule.Steps(queries, step),
        problem.smoothness(),
        problem.clip());
    FullBatchSchedule schedule = plain
        ? new FullBatchSchedule(
            problem.slots(), queries, problem.clip(), step, least.difference(), 1)
        : least;
    SensitivityReducedNsgd optimizer = new SensitivityReducedNsgd(schedule);
    return new MomentumCase(
        plain ? "full batch gamma 1" : "full batch",
        words("queries", queries, step),
        mu,
        problem.plan(
            "full-batch", mu, optimizer, new QueryNoise(optimizer.queries()), problem.slots(), 1));
  }

  /** Momentum from a tree over several passes. */
  static MomentumCase passes(Problem problem, double mu, long batches, long epochs, double step) {
    double alpha = 1.0 / batches;
    long slots = problem.slots() / batches * batches;
    QuerySchedule queries =
        new QuerySchedule(List.of(new QuerySchedule.Segment(0, slots, batches, 1, epochs, 1)));
    MomentumTree tree = MomentumTree.block(batches, epochs, 1 - alpha, problem.dimension(), mu);
    return new MomentumCase(
        "tree momentum in passes",
        words("epochs", epochs, step),
        mu,
        problem.plan("passes", mu, new TreeMomentumNsgd(step, 1 - alpha, queries), tree, slots, 1));
  }

  /** Changes against the pass before, in windows of one pass. */
  static MomentumCase windows(
      Problem problem, double mu, int batches, long epochs, Landscape known, double step) {
    WindowSchedule schedule =
        WindowSchedule.of(problem.slots() / batches * batches, batches, epochs, known, step);
    return new MomentumCase(
        "windows",
        words("epochs", epochs, step),
        mu,
        problem.plan(
            "windows", mu, new WindowNsgd(schedule), schedule.tree(), schedule.slots(), 1));
  }
}
