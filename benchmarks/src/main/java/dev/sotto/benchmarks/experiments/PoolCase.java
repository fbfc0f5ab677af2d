package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.heavytail.ClippedSgd;
import dev.sotto.learner.optimizer.heavytail.Curvature;
import dev.sotto.learner.optimizer.heavytail.Moments;
import dev.sotto.learner.optimizer.heavytail.SgdSchedule;
import dev.sotto.learner.optimizer.resque.Perturbations;
import dev.sotto.learner.optimizer.resque.PoolAlgorithm;
import dev.sotto.learner.optimizer.resque.PoolSchedule;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassAlgorithm;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassSchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plans for one block of an absolute loss with features of norm 1, clip 1, over the ball of radius
 * 1 around zero, a record a unit.
 *
 * @param slots of the block
 * @param dimension number of weights
 */
record PoolCase(int slots, int dimension, Budget budget, Adjacency adjacency) {
  private static final long SEED = 20;
  private static final double CLIP = 1;
  private static final double RADIUS = 1;

  /** Noise by what it follows from: with secret coins it takes a second to find. */
  private static final Map<String, Double> SIGMAS = new ConcurrentHashMap<>();

  /** Form P. */
  Plan pools(PoolSchedule schedule) {
    QuerySchedule queries = QuerySchedule.sampled(
        slots, schedule.rounds(), new Sampling(schedule.points(), schedule.rate()));
    PoolAlgorithm algorithm = new PoolAlgorithm(
        schedule, queries, new Perturbations(dimension, schedule.rho(), SEED), ball(), "");
    return block("resque", algorithm);
  }

  /** Form S: one ordered pass over the smoothed loss. */
  Plan onePass() {
    double noise = adjacency.sensitivity(CLIP) / budget.muLimit();
    PathNoise path = OnePassSchedule.of(
        new PoolSize(slots, dimension, CLIP, RADIUS, noise),
        OnePassSchedule.smoothing(slots, RADIUS));
    return plan("resque", new OnePassAlgorithm(path, CLIP, ""), path, slots, 1);
  }

  /** One point a round. */
  Plan descent(long rounds, double rate, double step) {
    QuerySchedule queries = QuerySchedule.sampled(slots, rounds, new Sampling(1, rate));
    return block("plain descent", new PlainDescent(queries, CLIP, step, ball()));
  }

  /**
   * One pass of accelerated descent.
   *
   * @param smoothness for which its steps are made
   */
  Plan acSa(double smoothness) {
    AcSaSchedule schedule = AcSaSchedule.of(
        size(), Moments.bounded(CLIP), smoothness, 2 * RADIUS, OptionalDouble.of(CLIP));
    return block("clipped-ac-sa", new ClippedAcSa(schedule, ball()));
  }

  /** One pass of descent, with a tenth of the smoothness as regularisation. */
  Plan sgd(double smoothness) {
    double lambda = smoothness / 10;
    SgdSchedule schedule = SgdSchedule.of(
        size(),
        Moments.bounded(CLIP),
        new Curvature(smoothness + lambda, lambda),
        2 * RADIUS,
        OptionalDouble.of(CLIP));
    return block("clipped-sgd", new ClippedSgd(schedule, lambda, ball()));
  }

  /**
   * One pass of rounds with steps of one size.
   *
   * @param step of the mean gradient of a round
   */
  Plan ftrl(int rounds, double step) {
    Mechanism mechanism = NoiseChoice.BLT.mechanism(rounds);
    Optimizer optimizer =
        new PrivateFtrl(new EuclideanBall(null, RADIUS), new StepSize.Fixed(step, 1));
    return plan("private-ftrl", optimizer, mechanism, slots / rounds, rounds);
  }

  private BlockSize size() {
    return new BlockSize(slots, dimension, 2 * budget.muLimit() / adjacency.sensitivity(1));
  }

  private static Ball ball() {
    return new Ball(null, RADIUS);
  }

  private Plan block(String name, BlockAlgorithm algorithm) {
    QuerySchedule queries = algorithm.queries();
    Mechanism mechanism =
        queries.sampling().isSecret() ? new SampledQueryNoise(queries) : new QueryNoise(queries);
    return plan(name, algorithm, mechanism, queries.slots(), 1);
  }

  private Plan plan(
      String name, Optimizer optimizer, Mechanism mechanism, long batch, long rounds) {
    double sigma = SIGMAS.computeIfAbsent(
        budget.muLimit() + " " + adjacency + " " + rounds + " " + mechanism.name() + " "
            + mechanism.parameters(),
        none -> NoiseCalibration.sigma(budget, mechanism, adjacency, CLIP, rounds));
    return new PlanBuilder()
        .features("as the experiment says")
        .dimension(dimension)
        .loss(Losses.ABSOLUTE.configName(), Losses.ABSOLUTE.make())
        .algorithm(name, optimizer.describe(), optimizer)
        .mechanism(mechanism)
        .clip(CLIP)
        .batch(batch)
        .sigma(sigma)
        .adjacency(adjacency)
        .unit(PrivacyUnit.RECORD)
        .budget(budget)
        .build();
  }
}
