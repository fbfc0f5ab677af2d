package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import java.util.Arrays;
import java.util.Random;

/**
 * One block of a made-up problem, learned in memory: clipped sums with Gaussian noise of seeds, in
 * place of a release. For many runs; what the product's learner does is the same within chance
 * (EndToEndTest).
 *
 * @param mu where contents are replaced; infinite without noise
 */
record HeavyTailRun(HeavyTailProblem problem, int slots, double mu) {
  BlockSize size() {
    return new BlockSize(slots, problem.dimension, mu);
  }

  /** The excess of what a block algorithm learns. */
  double excess(BlockAlgorithm algorithm, Random random) {
    return excesses(algorithm, 1, random)[0];
  }

  /** The same after each of several blocks. */
  double[] excesses(BlockAlgorithm algorithm, int blocks, Random random) {
    QueryNoise noise = new QueryNoise(algorithm.queries());
    BlockIterates iterates = algorithm.start(new double[problem.dimension]);
    double[] excesses = new double[blocks];
    for (int block = 0; block < blocks; block++) {
      learn(algorithm, noise, iterates, random);
      excesses[block] = problem.excess(iterates.weights());
    }
    return excesses;
  }

  private void learn(
      BlockAlgorithm algorithm, QueryNoise noise, BlockIterates iterates, Random random) {
    double[][] records = problem.draw(random, slots);
    double[] sum = new double[problem.dimension];
    long queries = noise.queries();
    for (long q = 1; q <= queries; q++) {
      QuerySchedule.Query query = noise.schedule().query(q);
      double scale = algorithm.scale(q) * iterates.gradientFactor();
      Arrays.fill(sum, 0);
      NormBins bins = algorithm.norms(q);
      if (bins != null) {
        count(records, iterates.point(), scale, bins, sum);
      } else {
        add(records, query.first(), query.end(), iterates.point(), algorithm.clip() / scale, sum);
      }
      double unit = bins != null ? algorithm.clip() : scale;
      for (int j = 0; j < sum.length; j++) {
        double fresh = noise(algorithm.clip() * noise.noise(q), random);
        sum[j] = (sum[j] * unit + fresh) / query.slots();
      }
      iterates.tell(sum);
    }
  }

  private void count(
      double[][] records, double[] point, double scale, NormBins bins, double[] sum) {
    double[] gradient = new double[sum.length];
    for (double[] record : records) {
      problem.gradient(record, point, gradient);
      int axis = bins.axis(scale * HeavyTailProblem.norm(gradient));
      if (axis >= 0) {
        sum[axis]++;
      }
    }
  }

  private double noise(double clip, Random random) {
    return mu == Double.POSITIVE_INFINITY ? 0 : 2 * clip / mu * random.nextGaussian();
  }

  private void add(
      double[][] records, long first, long end, double[] point, double clip, double[] sum) {
    double[] gradient = new double[sum.length];
    for (long i = first; i < end; i++) {
      problem.gradient(records[(int) i], point, gradient);
      double norm = HeavyTailProblem.norm(gradient);
      double factor = norm <= clip ? 1 : clip / norm;
      for (int j = 0; j < sum.length; j++) {
        sum[j] += factor * gradient[j];
      }
    }
  }

  /** Batches of one pass of a baseline. */
  static final int BATCHES = 100;

  /**
   * Clipped gradient descent with constant steps and the mean of the later half of the points: the
   * usual recipe, at the same guarantee.
   */
  double clippedSgd(double clip, double step, Random random) {
    double[][] records = problem.draw(random, slots);
    int batch = slots / BATCHES;
    double noise = size().noise(clip, batch);
    EuclideanBall ball = new EuclideanBall(null, problem.radius);
    double[] w = new double[problem.dimension];
    double[] mean = new double[w.length];
    double[] sum = new double[w.length];
    for (int t = 0; t < BATCHES; t++) {
      Arrays.fill(sum, 0);
      add(records, (long) t * batch, (t + 1L) * batch, w, clip, sum);
      for (int j = 0; j < w.length; j++) {
        w[j] -= step * (sum[j] / batch + noise * random.nextGaussian());
      }
      ball.project(w);
      for (int j = 0; j < w.length && t >= BATCHES / 2; j++) {
        mean[j] += w[j] / (BATCHES - BATCHES / 2);
      }
    }
    return problem.excess(mean);
  }

  /**
   * Private FTRL with a binary tree, the prefix of batch t carrying one node for each 1 in t, at
   * the same guarantee; the mean of the later half of the points.
   */
  double ftrl(double clip, double step, Random random) {
    double[][] records = problem.draw(random, slots);
    int batch = slots / BATCHES;
    int levels = 32 - Integer.numberOfLeadingZeros(BATCHES);
    double deviation = 2 * clip * Math.sqrt(levels) / mu;
    double[][] nodes = new double[levels][problem.dimension];
    EuclideanBall ball = new EuclideanBall(null, problem.radius);
    double[] w = new double[problem.dimension];
    double[] mean = new double[w.length];
    double[] sum = new double[w.length];
    for (int t = 1; t <= BATCHES; t++) {
      add(records, (t - 1L) * batch, (long) t * batch, w, clip, sum);
      double[] fresh = nodes[Integer.numberOfTrailingZeros(t)];
      for (int j = 0; j < w.length; j++) {
        fresh[j] = deviation * random.nextGaussian();
        double prefix = sum[j];
        for (int level = 0; level < levels; level++) {
          prefix += (t >> level & 1) == 1 ? nodes[level][j] : 0;
        }
        w[j] = -step * prefix / batch;
      }
      ball.project(w);
      for (int j = 0; j < w.length && t > BATCHES / 2; j++) {
        mean[j] += w[j] / (BATCHES - BATCHES / 2);
      }
    }
    return problem.excess(mean);
  }
}
