package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.round.Calibration;
import dev.sotto.learner.round.Plan;

/**
 * One way to learn a stream in one pass: a logistic model, clip 1, zero-out adjacency, a record a unit.
 *
 * @param mu of the whole transcript; infinite without noise
 * @param rounds T, the noise being made for just so many; a round has n / T examples, rounded down
 * @param step what the method says it is
 */
record Recipe(Method method, Noise noise, double mu, int rounds, double step) {
  static final double DELTA = 1e-6;
  private static final double CLIP = 1; // the Lipschitz constant at features of norm 1

  Recipe {
    if ((noise == Noise.NONE) != (mu == Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "mu must be infinite just where there is no noise, but was " + mu);
    }
  }

  /** Without noise. */
  static Recipe publicly(Method method, int rounds, double step) {
    return new Recipe(method, Noise.NONE, Double.POSITIVE_INFINITY, rounds, step);
  }

  long batch(int examples) {
    return examples / rounds;
  }

  /** The plan for a stream of so many examples, over the ball of a radius. */
  Plan plan(int examples, int dimension, double radius) {
    long batch = batch(examples);
    Mechanism mechanism = noise.mechanism(rounds);
    Budget budget =
        noise == Noise.NONE ? new Budget(Double.POSITIVE_INFINITY, DELTA) : Budget.ofMu(mu, DELTA);
    double sigma = noise == Noise.NONE
        ? 1 // scales nothing but the lattice
        : Calibration.sigma(budget, mechanism, Adjacency.ZERO_OUT, CLIP, rounds);
    double scale = PrivateFtrl.stepScale(
        radius / Math.sqrt(2), CLIP, dimension, mechanism.incrementVariance(), sigma, batch);
    return new Plan(
        "as the experiment says",
        dimension,
        Losses.LOGISTIC.configName(),
        Losses.LOGISTIC.make(),
        method.label,
        "radius " + radius + ", step " + step,
        method.optimizer(radius, step, scale, rounds),
        mechanism,
        CLIP,
        batch,
        sigma,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        budget);
  }
}
