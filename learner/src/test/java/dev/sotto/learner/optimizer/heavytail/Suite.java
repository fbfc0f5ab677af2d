package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.testing.Seed;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Section 6.2 of the page: synthetic losses of heavy-tailed gradients, and a private oracle of
 * clipped means with Gaussian noise, in place of a release. Uses no cryptographic noise.
 */
final class Suite {
  private Suite() {}

  /** Some loss of one record, and its mean. */
  interface Problem {
    int dimension();

    /** Numbers of one record. */
    double[] draw(RandomGenerator random);

    /** Writes the gradient at a point. */
    void gradient(double[] record, double[] point, double[] into);

    /** How much worse than the best a point is in the mean. */
    double excess(double[] point);
  }

  /** Student's t with 3 degrees of freedom. */
  static double t3(RandomGenerator random) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
      double z = random.nextGaussian();
      square += z * z;
    }
    return random.nextGaussian() / Math.sqrt(square / 3);
  }

  /** E1 (a): half the squared distance to t3 / sqrt(3) around a mean. */
  static Problem mean() {
    double at = 0.5 / Math.sqrt(10);
    return new Problem() {
      @Override
      public int dimension() {
        return 10;
      }

      @Override
      public double[] draw(RandomGenerator random) {
        double[] record = new double[10];
        for (int j = 0; j < 10; j++) {
          record[j] = at + t3(random) / Math.sqrt(3);
        }
        return record;
      }

      @Override
      public void gradient(double[] record, double[] point, double[] into) {
        for (int j = 0; j < into.length; j++) {
          into[j] = point[j] - record[j];
        }
      }

      @Override
      public double excess(double[] point) {
        double sum = 0;
        for (double w : point) {
          sum += (w - at) * (w - at);
        }
        return sum / 2;
      }
    };
  }

  /** E2 and E4: least squares with errors t3; E4 adds 0.1 ||w||_1. */
  static Problem leastSquares(double[] best, double l1) {
    double least = 0;
    for (double w : best) {
      double shrunk = Math.max(0, Math.abs(w) - l1);
      least += (Math.abs(w) - shrunk) * (Math.abs(w) - shrunk) / 2 + l1 * shrunk;
    }
    double optimum = least;
    return new Problem() {
      @Override
      public int dimension() {
        return best.length;
      }

      @Override
      public double[] draw(RandomGenerator random) {
        double[] record = new double[best.length + 1];
        double score = 0;
        for (int j = 0; j < best.length; j++) {
          record[j] = random.nextGaussian();
          score += record[j] * best[j];
        }
        record[best.length] = score + t3(random);
        return record;
      }

      @Override
      public void gradient(double[] record, double[] point, double[] into) {
        double error = -record[into.length];
        for (int j = 0; j < into.length; j++) {
          error += record[j] * point[j];
        }
        for (int j = 0; j < into.length; j++) {
          into[j] = error * record[j];
        }
      }

      @Override
      public double excess(double[] point) {
        double sum = -optimum;
        for (int j = 0; j < point.length; j++) {
          sum += (point[j] - best[j]) * (point[j] - best[j]) / 2 + l1 * Math.abs(point[j]);
        }
        return sum;
      }
    };
  }

  /** E3: a ||w - b||_1 / sqrt(5), a of Pareto(4.5, 1), b normal around 0.6. */
  static Problem absolute() {
    return new Problem() {
      @Override
      public int dimension() {
        return 5;
      }

      @Override
      public double[] draw(RandomGenerator random) {
        double[] record = new double[6];
        for (int j = 0; j < 5; j++) {
          record[j] = 0.6 + random.nextGaussian();
        }
        record[5] = StrictMath.pow(1 - random.nextDouble(), -1 / 4.5);
        return record;
      }

      @Override
      public void gradient(double[] record, double[] point, double[] into) {
        for (int j = 0; j < 5; j++) {
          into[j] = Math.signum(point[j] - record[j]) * record[5] / Math.sqrt(5);
        }
      }

      @Override
      public double excess(double[] point) {
        double sum = 0;
        for (double w : point) {
          sum += phi(w - 0.6) - phi(0);
        }
        return 9.0 / 7 / Math.sqrt(5) * sum;
      }
    };
  }

  /** E |u - Z|. */
  private static double phi(double u) {
    return Math.sqrt(2 / Math.PI) * StrictMath.exp(-u * u / 2) + u * (1 - 2 * tail(u));
  }

  /** P(Z > u) by Simpson's rule, to 1e-12. */
  private static double tail(double u) {
    int steps = 400;
    double h = u / steps;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * StrictMath.exp(-i * h * i * h / 2);
    }
    return 0.5 - sum * h / 3 / Math.sqrt(2 * Math.PI);
  }

  /**
   * The excess of what one block learns.
   *
   * @param mu of a block whose records are replaced by any others; infinite for no noise
   */
  static double excess(
      Problem problem, BlockAlgorithm algorithm, double mu, RandomGenerator random) {
    int dimension = problem.dimension();
    var schedule = algorithm.queries();
    double[][] records = new double[(int) schedule.slots()][];
    for (int i = 0; i < records.length; i++) {
      records[i] = problem.draw(random);
    }
    BlockIterates iterates = algorithm.start(new double[dimension]);
    double[] gradient = new double[dimension];
    long queries = schedule.queries();
    for (long q = 1; q <= queries; q++) {
      var query = schedule.query(q);
      double scale = algorithm.scale(q);
      double[] sum = new double[dimension];
      for (long i = query.first(); i < query.end(); i++) {
        problem.gradient(records[(int) i], iterates.point(), gradient);
        double norm = 0;
        for (double g : gradient) {
          norm += g * g;
        }
        double factor = scale * Math.min(1, algorithm.clip() / (scale * Math.sqrt(norm)));
        for (int j = 0; j < dimension; j++) {
          sum[j] += norm == 0 ? 0 : factor * gradient[j];
        }
      }
      double relative = schedule.segments().get(query.segment()).noise();
      for (int j = 0; j < dimension; j++) {
        sum[j] += 2 * algorithm.clip() * relative / mu * random.nextGaussian();
        sum[j] /= query.slots();
      }
      iterates.tell(sum);
    }
    return problem.excess(iterates.weights());
  }

  /**
   * Mean and its standard error over runs. Bounds allow for six standard errors: of the means of 40
   * runs or more, one in 1e6 is further off.
   */
  record Result(double mean, double error) {
    /** Whether the mean may be within a share of a number. */
    boolean isAbout(double number, double share) {
      return Math.abs(mean - number) < share * number + 6 * error;
    }

    /** Whether the mean is surely less. */
    boolean isBelow(double number) {
      return mean + 6 * error < number;
    }
  }

  static Result runs(int count, ToDoubleFunction<RandomGenerator> run) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double value = run.applyAsDouble(Seed.splittable(1000 + i));
      sum += value;
      squares += value * value;
    }
    double mean = sum / count;
    return new Result(mean, Math.sqrt(Math.max(0, squares / count - mean * mean) / (count - 1)));
  }
}
