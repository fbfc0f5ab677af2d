package dev.sotto.topology.live;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.BallSolvers;
import dev.sotto.learner.optimizer.resque.Perturbations;
import dev.sotto.learner.optimizer.resque.PoolAlgorithm;
import dev.sotto.learner.optimizer.resque.PoolSchedule;

/** Pools of gradients at several points, for any schedule of queries. */
public final class Pools {
  private Pools() {}

  public static Optimizer optimizer(QuerySchedule queries, int dimension) {
    boolean sealed = queries.sampling().isSecret();
    PoolSchedule schedule = new PoolSchedule(
        queries.queries() - (sealed ? 1 : 0),
        queries.sampling().points(),
        queries.sampling().rate(),
        new BallProblem(1, 0.5, 0.5, 0.25),
        BallSolvers.WEIGHTED_SGD);
    return new PoolAlgorithm(
        schedule, queries, new Perturbations(dimension, 0.5, 7), new Ball(null, 10), "");
  }
}
