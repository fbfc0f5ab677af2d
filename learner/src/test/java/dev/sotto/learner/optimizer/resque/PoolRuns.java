package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.testing.Seed;
import java.util.random.RandomGenerator;

/** Simulated runs over sampled noisy sums, as plain doubles. */
final class PoolRuns {
  private final AbsoluteData data;
  private final double clip = 1;
  private final double sigma;

  PoolRuns(AbsoluteData data, double sigma) {
    this.data = data;
    this.sigma = sigma;
  }

  static PoolAlgorithm algorithm(PoolSchedule schedule, int dimension, long seed) {
    QuerySchedule queries = QuerySchedule.sampled(
        1, schedule.rounds(), new QuerySchedule.Sampling(schedule.points(), schedule.rate()));
    return new PoolAlgorithm(
        schedule,
        queries,
        new Perturbations(dimension, schedule.rho(), seed),
        new Ball(null, 1),
        "");
  }

  /** The weights after one block. */
  double[] block(PoolSchedule schedule, long seed) {
    int d = data.features[0].length;
    RandomGenerator random = Seed.splittable(seed);
    PoolAlgorithm algorithm = algorithm(schedule, d, seed);
    PoolIterates iterates = (PoolIterates) algorithm.start(new double[d]);
    double[] point = new double[d];
    double[] mean = new double[d];
    if (!algorithm.queries().answers(1)) {
      iterates.unanswered();
    }
    for (long k = 0; k < schedule.rounds(); k++) {
      double[] answer = new double[schedule.points() * d];
      for (int m = 0; m < schedule.points(); m++) {
        algorithm.perturbations().point(iterates.runQuery(), m, iterates.point(), point);
        mean(point, schedule.rate(), random, mean);
        System.arraycopy(mean, 0, answer, m * d, d);
      }
      iterates.tell(answer);
    }
    return iterates.weights();
  }

  private void mean(double[] point, double rate, RandomGenerator random, double[] into) {
    int d = into.length;
    java.util.Arrays.fill(into, 0);
    for (int i = 0; i < data.labels.length; i++) {
      if (random.nextDouble() < rate) {
        double slope = data.slope(i, point);
        for (int j = 0; j < d; j++) {
          into[j] += slope * data.features[i][j];
        }
      }
    }
    for (int j = 0; j < d; j++) {
      into[j] = (into[j] + sigma * clip * random.nextGaussian()) / (rate * data.labels.length);
    }
  }
}
