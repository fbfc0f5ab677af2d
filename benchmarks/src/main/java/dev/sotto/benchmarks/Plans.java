package dev.sotto.benchmarks;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potential;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Calibration;
import dev.sotto.learner.round.Plan;

/** The plan that every benchmark learns by: one that never runs out of budget in a benchmark. */
public final class Plans {
  private static final double RADIUS = 8;
  private static final double CLIP = 1;
  private static final long HORIZON = 1L << 40;

  private Plans() {}

  /** Logistic loss, Private FTRL on an l2 ball, tree noise; epsilon 1 at delta 1e-6 over 2^40 rounds. */
  public static Plan of(String features, int dimension, long batch) {
    Mechanism mechanism = Mechanisms.BINARY_TREE.make();
    Budget budget = new Budget(1, 1e-6);
    double sigma = Calibration.sigma(budget, mechanism, Adjacency.ZERO_OUT, CLIP, HORIZON);
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
        Optimizers.PRIVATE_FTRL.make(ball, new StepSize.Decreasing(scale)),
        mechanism,
        CLIP,
        batch,
        sigma,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        budget);
  }
}
