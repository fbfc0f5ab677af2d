package dev.sotto.learner.mechanism;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * How far apart two worlds are, measured from transcripts alone: the best linear statistic is
 * learned on one half of the runs and tried on the other, so that the estimate is of the
 * statistic's true separation, and that is never above mu of a mu-GDP mechanism.
 *
 * @param mu the estimate, difference of the means in standard deviations
 * @param error its standard error
 */
public record Separation(double mu, double error) {
  /** A fresh, independent transcript of one of two neighbouring worlds. */
  public interface World {
    double[] transcript(boolean neighbour, int run);
  }

  public static Separation measure(World world, int runs) {
    double[][] zero = sample(world, false, 0, runs);
    double[][] one = sample(world, true, runs, runs);
    double[] weights = bestWeights(zero, one);
    double[] a = statistics(weights, sample(world, false, 2 * runs, runs));
    double[] b = statistics(weights, sample(world, true, 3 * runs, runs));
    double pooled = Math.sqrt((variance(a) + variance(b)) / 2);
    double mu = (mean(b) - mean(a)) / pooled;
    // 2 / n from the two means, mu^2 / 4n from the pooled standard deviation of 2n draws.
    return new Separation(mu, Math.sqrt((2 + mu * mu / 4) / runs));
  }

  private static double[][] sample(World world, boolean neighbour, int first, int runs) {
    double[][] sample = new double[runs][];
    for (int run = 0; run < runs; run++) {
      sample[run] = world.transcript(neighbour, first + run);
    }
    return sample;
  }

  private static double[] statistics(double[] weights, double[][] sample) {
    double[] statistics = new double[sample.length];
    for (int run = 0; run < sample.length; run++) {
      for (int t = 0; t < weights.length; t++) {
        statistics[run] += weights[t] * sample[run][t];
      }
    }
    return statistics;
  }

  /** Fisher's linear discriminant: covariance^-1 times the difference of the means. */
  private static double[] bestWeights(double[][] zero, double[][] one) {
    int length = zero[0].length;
    double[] meanZero = means(zero);
    double[] meanOne = means(one);
    DMatrixRMaj covariance = new DMatrixRMaj(length, length);
    CommonOps_DDRM.addEquals(covariance, covariance(zero, meanZero));
    CommonOps_DDRM.addEquals(covariance, covariance(one, meanOne));
    double[] difference = new double[length];
    for (int t = 0; t < length; t++) {
      difference[t] = meanOne[t] - meanZero[t];
    }
    return solve(covariance, difference);
  }

  static double[] solve(DMatrixRMaj positive, double[] right) {
    LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.chol(right.length);
    if (!solver.setA(positive.copy())) {
      throw new IllegalStateException("the covariance must be positive, but was " + positive);
    }
    DMatrixRMaj solution = new DMatrixRMaj(right.length, 1);
    solver.solve(DMatrixRMaj.wrap(right.length, 1, right.clone()), solution);
    return solution.data;
  }

  private static double[] means(double[][] sample) {
    double[] means = new double[sample[0].length];
    for (double[] each : sample) {
      for (int t = 0; t < means.length; t++) {
        means[t] += each[t] / sample.length;
      }
    }
    return means;
  }

  private static DMatrixRMaj covariance(double[][] sample, double[] means) {
    DMatrixRMaj covariance = new DMatrixRMaj(means.length, means.length);
    for (double[] each : sample) {
      for (int i = 0; i < means.length; i++) {
        for (int j = 0; j < means.length; j++) {
          covariance.add(i, j, (each[i] - means[i]) * (each[j] - means[j]) / sample.length);
        }
      }
    }
    return covariance;
  }

  static double mean(double[] sample) {
    double sum = 0;
    for (double each : sample) {
      sum += each;
    }
    return sum / sample.length;
  }

  static double variance(double[] sample) {
    double mean = mean(sample);
    double sum = 0;
    for (double each : sample) {
      sum += (each - mean) * (each - mean);
    }
    return sum / (sample.length - 1);
  }
}
