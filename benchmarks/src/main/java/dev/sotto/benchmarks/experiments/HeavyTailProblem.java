package dev.sotto.benchmarks.experiments;

import java.util.Arrays;
import java.util.Random;

/**
 * Made-up losses whose gradients have heavy tails, with their exact mean loss (section 6.2 of the
 * page of the paper; docs/experiments/heavy-tails.md).
 */
enum HeavyTailProblem {
  /** Half the squared distance to records around a mean: t with 3 degrees of freedom. */
  MEAN("mean", 10, 3.5, 3.5, 1) {
    @Override
    void draw(Random random, double[] record) {
      for (int j = 0; j < 10; j++) {
        record[j] = 0.5 / Math.sqrt(10) + t3(random) / Math.sqrt(3);
      }
    }
  },
  /** The same with one record in a thousand a thousand times as far. */
  OUTLIERS("mean with outliers", 10, Math.sqrt(2.25 + 10 * 1000.999), 0, 1) {
    @Override
    void draw(Random random, double[] record) {
      double scale = random.nextDouble() < 1e-3 ? 1000 : 1;
      for (int j = 0; j < 10; j++) {
        record[j] = 0.5 / Math.sqrt(10) + scale * random.nextGaussian();
      }
    }
  },
  /** Normal features, errors t with 3 degrees of freedom. */
  LEAST_SQUARES("least squares", 10, Math.sqrt(1.6 * 1.6 * 12 + 30), 0, 1) {
    private final double[] best = filled(10, 0.6 / Math.sqrt(10));

    @Override
    void draw(Random random, double[] record) {
      regression(random, best, record);
    }

    @Override
    void gradient(double[] record, double[] w, double[] into) {
      residual(record, w, into);
    }

    @Override
    double excess(double[] w) {
      return halfDistance(w, best);
    }
  },
  /** a ||w - b||_1 / sqrt(5), a of Pareto(4.5, 1). */
  ABSOLUTE("weighted medians", 5, Math.sqrt(1.8), Math.sqrt(3), 2) {
    @Override
    void draw(Random random, double[] record) {
      for (int j = 0; j < 5; j++) {
        record[j] = 0.6 + random.nextGaussian();
      }
      record[5] = Math.pow(1 - random.nextDouble(), -1 / 4.5);
    }

    @Override
    void gradient(double[] record, double[] w, double[] into) {
      for (int j = 0; j < 5; j++) {
        into[j] = Math.signum(w[j] - record[j]) * record[5] / Math.sqrt(5);
      }
    }

    @Override
    double excess(double[] w) {
      double sum = 0;
      for (double each : w) {
        sum += distance(each - 0.6) - distance(0);
      }
      return 9.0 / 7 / Math.sqrt(5) * sum;
    }
  },
  /** Least squares with 0.1 ||w||_1 in a box. */
  LASSO("lasso", 10, 13.7303, 0, 1) {
    private final double[] best = {0.6, -0.4, 0.3, 0, 0, 0, 0, 0, 0, 0};

    @Override
    void draw(Random random, double[] record) {
      regression(random, best, record);
    }

    @Override
    void gradient(double[] record, double[] w, double[] into) {
      residual(record, w, into);
    }

    @Override
    double excess(double[] w) {
      double l1 = 0;
      for (double each : w) {
        l1 += Math.abs(each);
      }
      return halfDistance(w, best) + 0.1 * l1 - 0.115;
    }
  };

  final String label;
  final int dimension;
  /** r_2 over the set. */
  final double second;
  /** r_4, where somebody needs it. */
  final double fourth;
  /** Of the ball around zero. */
  final double radius;

  HeavyTailProblem(String label, int dimension, double second, double fourth, double radius) {
    this.label = label;
    this.dimension = dimension;
    this.second = second;
    this.fourth = fourth;
    this.radius = radius;
  }

  /** Numbers of one record: one more than the dimension. */
  abstract void draw(Random random, double[] record);

  void gradient(double[] record, double[] w, double[] into) {
    for (int j = 0; j < into.length; j++) {
      into[j] = w[j] - record[j];
    }
  }

  /** How much worse than the best a point is in the mean. */
  double excess(double[] w) {
    return halfDistance(w, filled(10, 0.5 / Math.sqrt(10)));
  }

  /** Many records. */
  double[][] draw(Random random, int count) {
    double[][] records = new double[count][dimension + 1];
    for (double[] record : records) {
      draw(random, record);
    }
    return records;
  }

  /** The (1 - q)-quantile of gradient norms at zero, of a public sample. */
  double quantile(double q) {
    if (this == ABSOLUTE) {
      return Math.pow(Math.min(1, q), -1 / 4.5); // norms are Pareto
    }
    Random random = new Random(7);
    double[] norms = new double[400_000];
    double[] record = new double[dimension + 1];
    double[] zero = new double[dimension];
    double[] gradient = new double[dimension];
    for (int i = 0; i < norms.length; i++) {
      draw(random, record);
      gradient(record, zero, gradient);
      norms[i] = norm(gradient);
    }
    Arrays.sort(norms);
    return norms[Math.max(0, Math.min(norms.length - 1, (int) (norms.length * (1 - q))))];
  }

  static double norm(double[] vector) {
    double sum = 0;
    for (double each : vector) {
      sum += each * each;
    }
    return Math.sqrt(sum);
  }

  private static double[] filled(int dimension, double value) {
    double[] all = new double[dimension];
    Arrays.fill(all, value);
    return all;
  }

  private static double halfDistance(double[] w, double[] best) {
    double sum = 0;
    for (int j = 0; j < w.length; j++) {
      sum += (w[j] - best[j]) * (w[j] - best[j]);
    }
    return sum / 2;
  }

  private static void regression(Random random, double[] best, double[] record) {
    double score = 0;
    for (int j = 0; j < best.length; j++) {
      record[j] = random.nextGaussian();
      score += record[j] * best[j];
    }
    record[best.length] = score + t3(random);
  }

  private static void residual(double[] record, double[] w, double[] into) {
    double error = -record[w.length];
    for (int j = 0; j < w.length; j++) {
      error += record[j] * w[j];
    }
    for (int j = 0; j < w.length; j++) {
      into[j] = error * record[j];
    }
  }

  private static double t3(Random random) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
      double z = random.nextGaussian();
      square += z * z;
    }
    return random.nextGaussian() / Math.sqrt(square / 3);
  }

  /** E |u - Z| of a normal Z; the tail by Simpson's rule. */
  private static double distance(double u) {
    int steps = 200;
    double h = u / steps;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * Math.exp(-i * h * i * h / 2);
    }
    double density = 1 / Math.sqrt(2 * Math.PI);
    return 2 * density * Math.exp(-u * u / 2) + 2 * u * sum * h / 3 * density;
  }
}
