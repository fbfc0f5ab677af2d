package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One way to learn a stream in one pass: a logistic model, clip 1, zero-out adjacency, a record a
 * unit.
 *
 * @param mu of the whole transcript; infinite without noise
 * @param rounds T, for which the noise is made; a round has n / T examples, rounded down
 * @param step what the method says it is
 */
record Recipe(ExperimentMethod method, NoiseChoice noise, double mu, int rounds, double step) {
  static final double DELTA = 1e-6;
  private static final double CLIP = 1; // the Lipschitz constant at features of norm 1

  Recipe {
    if ((noise == NoiseChoice.NONE) != (mu == Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "mu must be infinite just where there is no noise, but was " + mu);
    }
  }

  /** All combinations of rounds and steps. */
  static List<Recipe> grid(
      ExperimentMethod method, NoiseChoice noise, double mu, int[] rounds, double[] steps) {
    return IntStream.of(rounds)
        .boxed()
        .flatMap(t -> Arrays.stream(steps).mapToObj(s -> new Recipe(method, noise, mu, t, s)))
        .toList();
  }

  long batch(int examples) {
    return examples / rounds;
  }

  /** The plan for a stream of {@code examples} examples, over the ball of a radius. */
  Plan plan(int examples, int dimension, double radius) {
    long batch = batch(examples);
    PrefixMechanism mechanism = noise.mechanism(rounds);
    Budget budget = noise == NoiseChoice.NONE
        ? new Budget(Double.POSITIVE_INFINITY, DELTA)
        : Budget.ofMu(mu, DELTA);
    double sigma = noise == NoiseChoice.NONE
        ? 1 // scales nothing but the lattice
        : NoiseCalibration.sigma(budget, mechanism, Adjacency.ZERO_OUT, CLIP, rounds);
    double scale = PrivateFtrl.stepScale(
        radius / Math.sqrt(2), CLIP, dimension, mechanism.incrementVariance(), sigma, batch);
    return new PlanBuilder()
        .features("as the experiment says")
        .dimension(dimension)
        .loss(Losses.LOGISTIC.configName(), Losses.LOGISTIC.make())
        .algorithm(
            method.label,
            "radius " + radius + ", step " + step,
            method.optimizer(radius, step, scale, rounds))
        .mechanism(mechanism)
        .clip(CLIP)
        .batch(batch)
        .sigma(sigma)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(budget)
        .build();
  }
}
