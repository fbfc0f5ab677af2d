package dev.sotto.benchmarks;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Potential;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.participation.Participation.Budgeted;
import dev.sotto.learner.participation.Participation.Once;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;

/** The plans that benchmarks learn by: ones that never run out of budget in a benchmark. */
public final class BenchmarkPlans {
  private static final double RADIUS = 8;
  private static final double CLIP = 1;
  private static final long HORIZON = 1L << 40;
  private static final Budget BUDGET = new Budget(1, 1e-6);

  private BenchmarkPlans() {}

  /**
   * The plan of a case in a setup: logistic loss or softmax, Private FTRL or Accelerated DP-SRGD.
   */
  static Plan of(BenchmarkCase what, LearnerSetup setup) {
    return of(what, setup, Mechanisms.BLT.make());
  }

  /**
   * Hashed features as the defaults learn them: the noise and the steps that they choose.
   *
   * @param inputs a power of two
   * @param batch slots in a round
   */
  public static Plan hashed(int inputs, int batch, PrefixMechanism mechanism) {
    Objective objective = Objective.of(Losses.LOGISTIC.make());
    PlanBuilder plan = of("hashed" + inputs, inputs, batch).toBuilder();
    usual(plan, objective, batch, mechanism);
    return plan.build();
  }

  /**
   * The same with another mechanism where the setup has the noise and the steps of the defaults.
   */
  static Plan of(BenchmarkCase what, LearnerSetup setup, PrefixMechanism mechanism) {
    Plan simple = of(what.label, what.dimension(), setup.batch());
    Objective objective =
        what.classes > 0 ? new Softmax(what.classes) : Objective.of(Losses.LOGISTIC.make());
    double beta = 10 * objective.smoothness();
    String name = what.classes > 0 ? "softmax(" + what.classes + ")" : simple.lossName();
    PlanBuilder plan = simple.toBuilder().objective(name, objective).lag(setup.lag());
    if (setup.equals(LearnerSetup.DIRECT_256)) {
      usual(plan, objective, setup.batch(), mechanism);
    }
    if (setup.equals(LearnerSetup.BLOCKS)) {
      AcSaSchedule schedule = new AcSaSchedule(4, LearnerSetup.SMALL, CLIP, 1, beta);
      BlockAlgorithm optimizer = new ClippedAcSa(schedule, new Ball(null, RADIUS));
      plan.algorithm(Optimizers.CLIPPED_AC_SA.configName(), optimizer.describe(), optimizer)
          .mechanism(new QueryNoise(optimizer.queries()));
    }
    if (setup.srgd()) {
      EuclideanBall ball = new EuclideanBall(null, RADIUS);
      plan.algorithm(
          Optimizers.ACCELERATED_DP_SRGD.configName(),
          "l2 ball of radius " + RADIUS + " beta=" + beta,
          new AcceleratedDpSrgd(ball, beta, true, AcceleratedDpSrgd.Gradients.RECURSIVE));
    }
    return plan.build();
  }

  /** The steps of the defaults, and noise whose price has a limit or fits the budget for long. */
  private static void usual(
      PlanBuilder plan, Objective objective, long batch, PrefixMechanism mechanism) {
    double limit = mechanism.sensitivityLimit(ContributionBound.ONE);
    double sigma = Double.isFinite(limit)
        ? limit / BUDGET.muLimit()
        : NoiseCalibration.sigma(BUDGET, mechanism, Adjacency.ZERO_OUT, CLIP, HORIZON);
    StepSize steps = new StepSize.NoiseAware(
        mechanism, sigma, batch, objective.stepScale(1).orElseThrow(), true, true);
    PrivateFtrl optimizer =
        new PrivateFtrl(new EuclideanBall(null, Double.POSITIVE_INFINITY), steps);
    plan.mechanism(mechanism)
        .sigma(sigma)
        .algorithm(Optimizers.PRIVATE_FTRL.configName(), optimizer.describe(), optimizer);
  }

  /** Logistic loss, Private FTRL on an l2 ball, tree noise; epsilon 1 over 2^40 rounds. */
  public static Plan of(String features, int dimension, long batch) {
    PrefixMechanism mechanism = Mechanisms.BINARY_TREE.make();
    double sigma = NoiseCalibration.sigma(BUDGET, mechanism, Adjacency.ZERO_OUT, CLIP, HORIZON);
    return of(features, dimension, batch, mechanism, sigma, PrivacyUnit.RECORD, new Once());
  }

  /**
   * The same with BLT noise, and epsilon 1 for every user: enough for about ten rounds in a row.
   */
  public static Plan byKey(String features, int dimension, long batch) {
    PrefixMechanism mechanism = Mechanisms.BLT.make();
    double sigma = mechanism.sensitivityLimit(new ContributionBound(10, 1)) / BUDGET.muLimit();
    return of(
        features,
        dimension,
        batch,
        mechanism,
        sigma,
        PrivacyUnit.KEY,
        new Budgeted(BUDGET.muLimit()));
  }

  private static Plan of(
      String features,
      int dimension,
      long batch,
      PrefixMechanism mechanism,
      double sigma,
      PrivacyUnit unit,
      Participation participation) {
    Potential ball = new EuclideanBall(null, RADIUS);
    double scale = PrivateFtrl.stepScale(
        ball.diameter(dimension), CLIP, dimension, mechanism.incrementVariance(), sigma, batch);
    return new PlanBuilder()
        .features(features)
        .dimension(dimension)
        .loss(Losses.LOGISTIC.configName(), Losses.LOGISTIC.make())
        .algorithm(
            Optimizers.PRIVATE_FTRL.configName(),
            "l2 ball of radius " + RADIUS + ", decreasing steps of scale "
                + Double.toHexString(scale),
            new PrivateFtrl(ball, new StepSize.Decreasing(scale)))
        .mechanism(mechanism)
        .clip(CLIP)
        .batch(batch)
        .sigma(sigma)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(unit)
        .budget(BUDGET)
        .participation(participation)
        .build();
  }
}
