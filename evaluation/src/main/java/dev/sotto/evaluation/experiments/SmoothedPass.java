package dev.sotto.evaluation.experiments;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.smoothing.SmoothedKink;
import dev.sotto.learner.optimizer.resque.smoothing.SmoothedPath;
import dev.sotto.learner.optimizer.resque.smoothing.SmoothedSchedule;
import java.util.Random;

/**
 * Form S of the page in memory: one pass over a smoothed absolute loss, the product's schedule and
 * paths, and Gaussian noise of a seed in place of a release.
 *
 * @param mu where contents are replaced
 */
record SmoothedPass(double mu) {
  private static final double RADIUS = 1;

  SmoothedSchedule schedule(int slots, int dimension) {
    return SmoothedSchedule.of(new PoolSize(slots, dimension, 1, 1, RADIUS, 2 / mu), 2);
  }

  double[] weights(AbsoluteStream stream, long seed) {
    Random random = new Random(seed);
    int dimension = stream.dimension();
    SmoothedSchedule schedule = schedule(stream.count(), dimension);
    Ball ball = new Ball(null, RADIUS);
    double[] x = new double[dimension];
    int next = 0;
    for (SmoothedSchedule.Phase phase : schedule.phases()) {
      SmoothedPath path = new SmoothedPath(x, RADIUS, phase.step());
      for (long j = 0; j < phase.slots(); j++, next++) {
        double[] a = stream.features(next);
        double width = schedule.rho() * Vectors.norm(a, dimension);
        path.step(a, SmoothedKink.ABSOLUTE.slope(path.score(a) - stream.label(next), width));
      }
      path.average(x);
      for (int i = 0; i < dimension; i++) {
        x[i] += phase.noise(mu) * random.nextGaussian();
      }
      ball.project(x);
    }
    return x;
  }
}
