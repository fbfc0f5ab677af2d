package dev.sotto.benchmarks;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.optim.AcceleratedDpSrgd;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potential;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Calibration;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import dev.sotto.learner.unit.Participation.Budgeted;
import dev.sotto.learner.unit.Participation.Once;

/** The plans that benchmarks learn by: ones that never run out of budget in a benchmark. */
public final class Plans {
  private static final double RADIUS = 8;
  private static final double CLIP = 1;
  private static final long HORIZON = 1L << 40;
  private static final Budget BUDGET = new Budget(1, 1e-6);

  private Plans() {}

  /** The plan of a case in a setup: logistic loss or softmax, Private FTRL or Accelerated DP-SRGD. */
  static Plan of(Case what, Setup setup) {
    Plan simple = of(what.label, what.dimension(), setup.batch());
    Objective objective =
        what.classes > 0 ? new Softmax(what.classes) : Objective.of(Losses.LOGISTIC.make());
    double beta = 10 * objective.smoothness();
    return new Plan(
        simple.features(),
        simple.dimension(),
        what.classes > 0 ? "softmax(" + what.classes + ")" : simple.lossName(),
        objective,
        setup.srgd() ? Optimizers.ACCELERATED_DP_SRGD.configName() : simple.algorithm(),
        setup.srgd() ? "l2 ball of radius " + RADIUS + " beta=" + beta : simple.steps(),
        setup.srgd()
            ? new AcceleratedDpSrgd(
                new EuclideanBall(null, RADIUS), beta, true, AcceleratedDpSrgd.Gradients.RECURSIVE)
            : simple.optimizer(),
        simple.mechanism(),
        simple.clip(),
        simple.batch(),
        simple.sigma(),
        simple.adjacency(),
        simple.unit(),
        simple.budget(),
        simple.participation(),
        simple.generations(),
        null,
        setup.lag());
  }

  /** Logistic loss, Private FTRL on an l2 ball, tree noise; epsilon 1 at delta 1e-6 over 2^40 rounds. */
  public static Plan of(String features, int dimension, long batch) {
    Mechanism mechanism = Mechanisms.BINARY_TREE.make();
    double sigma = Calibration.sigma(BUDGET, mechanism, Adjacency.ZERO_OUT, CLIP, HORIZON);
    return of(features, dimension, batch, mechanism, sigma, PrivacyUnit.RECORD, new Once());
  }

  /** The same with BLT noise, and epsilon 1 for every user: enough for about ten rounds in a row. */
  public static Plan byKey(String features, int dimension, long batch) {
    Mechanism mechanism = Mechanisms.BLT.make();
    double sigma = mechanism.sensitivityLimit(new Contributions(10, 1)) / BUDGET.muLimit();
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
      Mechanism mechanism,
      double sigma,
      PrivacyUnit unit,
      Participation participation) {
    Potential ball = Potentials.L2.make(Potentials.Shape.ofRadius(RADIUS));
    double scale = PrivateFtrl.stepScale(
        ball.diameter(dimension), CLIP, dimension, mechanism.incrementVariance(), sigma, batch);
    return new Plan(
        features,
        dimension,
        Losses.LOGISTIC.configName(),
        Losses.LOGISTIC.make(),
        Optimizers.PRIVATE_FTRL.configName(),
        "l2 ball of radius " + RADIUS + ", decreasing steps of scale " + Double.toHexString(scale),
        new PrivateFtrl(ball, new StepSize.Decreasing(scale)),
        mechanism,
        CLIP,
        batch,
        sigma,
        Adjacency.ZERO_OUT,
        unit,
        BUDGET,
        participation,
        Generations.NONE,
        null);
  }
}
