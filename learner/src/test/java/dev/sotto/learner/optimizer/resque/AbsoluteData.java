package dev.sotto.learner.optimizer.resque;

import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The data of checks 14 and 15: features uniform on the sphere, {@code b = <a, x*> + 0.05 t_3} with
 * x* of norm 0.7 and equal coordinates, and the loss {@code |<a, x> - b|}.
 */
public final class AbsoluteData {
  public final double[][] features;
  public final double[] labels;
  private double least; // 0 until it is asked for

  public AbsoluteData(int examples, int dimension, long seed) {
    RandomGenerator random = Seed.splittable(seed);
    features = new double[examples][];
    labels = new double[examples];
    for (int i = 0; i < examples; i++) {
      features[i] = direction(random, dimension);
      labels[i] = dot(features[i], best(dimension)) + 0.05 * student3(random);
    }
  }

  public static double[] best(int dimension) {
    double[] best = new double[dimension];
    Arrays.fill(best, 0.7 / Math.sqrt(dimension));
    return best;
  }

  public static double[] direction(RandomGenerator random, int dimension) {
    double[] a = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      a[i] = random.nextGaussian();
    }
    double norm = Math.sqrt(dot(a, a));
    for (int i = 0; i < dimension; i++) {
      a[i] /= norm;
    }
    return a;
  }

  private static double student3(RandomGenerator random) {
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      double z = random.nextGaussian();
      squares += z * z;
    }
    return random.nextGaussian() / Math.sqrt(squares / 3);
  }

  public static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  double slope(int i, double[] x) {
    return Math.signum(dot(features[i], x) - labels[i]);
  }

  public double loss(double[] x) {
    double sum = 0;
    for (int i = 0; i < labels.length; i++) {
      sum += Math.abs(dot(features[i], x) - labels[i]);
    }
    return sum / labels.length;
  }

  /** The least mean loss, by reweighted least squares: within 1e-6. */
  double least() {
    if (least == 0) {
      least = computedLeast();
    }
    return least;
  }

  private double computedLeast() {
    int d = features[0].length;
    double[] x = best(d);
    double least = loss(x);
    double floor = 1e-2;
    for (int round = 0; round < 60; round++) {
      double[][] normal = new double[d][d + 1];
      for (int i = 0; i < labels.length; i++) {
        double residual = labels[i] - dot(features[i], x);
        double weight = 1 / Math.sqrt(residual * residual + floor * floor);
        for (int j = 0; j < d; j++) {
          for (int k = 0; k < d; k++) {
            normal[j][k] += weight * features[i][j] * features[i][k];
          }
          normal[j][d] += weight * features[i][j] * labels[i];
        }
      }
      x = solve(normal);
      least = Math.min(least, loss(x));
      floor = Math.max(1e-6, floor * 0.7);
    }
    return least;
  }

  private static double[] solve(double[][] rows) {
    int d = rows.length;
    for (int pivot = 0; pivot < d; pivot++) { // positive definite: no exchange needed
      for (int row = 0; row < d; row++) {
        double factor = row == pivot ? 0 : rows[row][pivot] / rows[pivot][pivot];
        for (int k = pivot; k <= d && factor != 0; k++) {
          rows[row][k] -= factor * rows[pivot][k];
        }
      }
    }
    double[] x = new double[d];
    for (int j = 0; j < d; j++) {
      x[j] = rows[j][d] / rows[j][j];
    }
    return x;
  }
}
