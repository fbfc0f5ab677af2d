package dev.sotto.evaluation.audit;

import dev.sotto.evaluation.audit.subject.FixedPoints;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.momentum.Landscape;
import dev.sotto.learner.optimizer.momentum.TreeMomentumNsgd;
import dev.sotto.learner.optimizer.momentum.WindowNsgd;
import dev.sotto.learner.optimizer.momentum.WindowSchedule;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.BallSolvers;
import dev.sotto.learner.optimizer.resque.Perturbations;
import dev.sotto.learner.optimizer.resque.PoolAlgorithm;
import dev.sotto.learner.optimizer.resque.PoolSchedule;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassAlgorithm;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassSchedule;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import java.util.List;
import java.util.function.Consumer;

/** Small plans for tests, changed field by field. */
public final class Plans {
  public int dimension = 3;
  public Loss loss = Losses.LOGISTIC.make();
  public Mechanism mechanism = Mechanisms.BINARY_TREE.make();
  public double clip = 1;
  public long batch = 64;
  public double sigma = 10;
  public Adjacency adjacency = Adjacency.ZERO_OUT;
  public PrivacyUnit unit = PrivacyUnit.RECORD;
  public double epsilon = 100;
  public double delta = 1e-6;
  public Participation participation = new Participation.Once();
  public GenerationSchedule generations = GenerationSchedule.NONE;

  public Optimizer optimizer =
      new PrivateFtrl(new EuclideanBall(null, 8), new StepSize.Decreasing(1));

  /** How much an audit does, and with how many canaries. */
  record Size(AuditEffort effort, int canaries) {}

  /** With which every fault is found all the same. */
  static final Size LITTLE = new Size(new AuditEffort(1 << 14, 64), 500);

  static final Size WHOLE = new Size(AuditEffort.QUICK, 8_000);

  private Plans() {}

  /** Accelerated DP-SRGD in place of Private FTRL. */
  public void srgd(AcceleratedDpSrgd.Gradients gradients) {
    optimizer = new AcceleratedDpSrgd(new EuclideanBall(null, 8), 1, true, gradients);
  }

  /** Blocks of these queries, at fixed points. */
  public void blocks(QuerySchedule queries) {
    blocks(new FixedPoints(queries, null));
  }

  /** Blocks of the queries of an algorithm. */
  public void blocks(Optimizer algorithm) {
    optimizer = algorithm;
    QuerySchedule queries = algorithm.block().orElseThrow();
    mechanism = QueryMechanism.ofQueries(queries);
    batch = queries.slots();
  }

  /** Pools of noisy gradients at 4 points, in 3 rounds over a block of 512 slots. */
  public void pools(double rate) {
    QuerySchedule queries = QuerySchedule.sampled(512, 3, new QuerySchedule.Sampling(4, rate));
    BallProblem ball = new BallProblem(1, 0.5, 0.5, 0.5);
    blocks(new PoolAlgorithm(
        new PoolSchedule(3, 4, rate, ball, BallSolvers.WEIGHTED_SGD),
        queries,
        new Perturbations(dimension, 0.5, 7),
        new Ball(null, 4),
        ""));
  }

  /** One pass of resque over blocks of so many slots, over a ball of radius 20 clips. */
  public void path(long slots) {
    PathNoise noise = OnePassSchedule.of(
        new PoolSize(slots, dimension, clip, 20 * clip, sigma / clip),
        OnePassSchedule.smoothing(slots, 20 * clip));
    optimizer = new OnePassAlgorithm(noise, clip, "");
    mechanism = noise;
    batch = slots;
  }

  /** Windows over the queries of a block. */
  public void windows(int batches, long passes) {
    Landscape known = Landscape.of(1, clip, dimension, sigma / clip);
    WindowSchedule schedule = WindowSchedule.of(16L * batches, batches, passes, known, 0.01);
    optimizer = new WindowNsgd(schedule);
    mechanism = schedule.tree();
    batch = schedule.slots();
  }

  /** A tree of momentum over rounds without an end. */
  public void endlessTree(double beta) {
    optimizer = new TreeMomentumNsgd(0.1, beta);
    mechanism = MomentumTree.endless(beta, 0x1p-9);
  }

  /** A tree of momentum over the queries of a block. */
  public void treeOfBlocks(long batches, long passes, double beta) {
    QuerySchedule queries = new QuerySchedule(
        List.of(new QuerySchedule.Segment(0, 16 * batches, batches, 1, passes, 1)));
    optimizer = new TreeMomentumNsgd(0.1, beta, queries);
    mechanism = MomentumTree.block(batches, passes, beta, 0x1p-9);
    batch = queries.slots();
  }

  public static Plan plan(Consumer<Plans> change) {
    Plans settings = new Plans();
    change.accept(settings);
    return new PlanBuilder()
        .features("three")
        .dimension(settings.dimension)
        .loss("a loss", settings.loss)
        .algorithm("private-ftrl", "decreasing 1", settings.optimizer)
        .mechanism(settings.mechanism)
        .clip(settings.clip)
        .batch(settings.batch)
        .sigma(settings.sigma)
        .adjacency(settings.adjacency)
        .unit(settings.unit)
        .budget(new Budget(settings.epsilon, settings.delta))
        .participation(settings.participation)
        .generations(settings.generations)
        .build();
  }
}
