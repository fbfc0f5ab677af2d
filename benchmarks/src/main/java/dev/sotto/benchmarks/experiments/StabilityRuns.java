package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.mechanism.ImportanceWeight;
import dev.sotto.learner.mechanism.Stability;
import dev.sotto.learner.optimizer.resque.Pool;
import dev.sotto.learner.optimizer.resque.theory.ErmPhase;
import java.util.Random;

/**
 * Acceptance check 13 of the page: pairs of phases of reweighted descent that differ in one slot,
 * whose gradient is the opposite in the second run. 512 steps over 200 slots of an absolute loss
 * in 20 dimensions, in a ball of radius 0.01; three steps are of the slot that differs.
 *
 * @param ratio rho / r
 */
record StabilityRuns(double ratio) {
  private static final int DIMENSION = 20;
  private static final int SLOTS = 200;
  private static final int STEPS = 512;
  private static final int HITS = 3;
  private static final double RADIUS = 0.01;
  private static final double STEP = RADIUS / (4 * Math.sqrt(1024));

  /** The same for the bound: of the first phase of 4096 queries, and 2.8e-8 of failures. */
  private static final double DELTA = 2.8e-8;

  private static final long QUERIES = 4096;

  /** c: distances beyond {@code c b eta L} have probability 2.8e-8 at most. */
  double bound() {
    double step = RADIUS / (4 * Math.sqrt(QUERIES));
    return Stability.constant(step / (ratio * RADIUS), 1 / ratio, QUERIES / 2, DELTA);
  }

  /** The largest distances of the last points and of the averages, over {@code b eta L}. */
  double[] largest(int repetitions, long seed) {
    Random random = new Random(seed);
    double[] largest = new double[2];
    for (int run = 0; run < repetitions; run++) {
      double[] pair = new Pair(random).distances();
      largest[0] = Math.max(largest[0], pair[0]);
      largest[1] = Math.max(largest[1], pair[1]);
    }
    return largest;
  }

  private final class Pair {
    private final double rho = ratio * RADIUS;
    private final double[][] features = new double[SLOTS][];
    private final double[] labels = new double[SLOTS];
    private final int[] drawn = new int[STEPS];
    private final double[][] perturbations = new double[STEPS][DIMENSION];

    Pair(Random random) {
      for (int i = 0; i < SLOTS; i++) {
        features[i] = AbsoluteStream.direction(random, DIMENSION);
        labels[i] = 0.1 * random.nextGaussian();
      }
      for (int j = 0; j < STEPS; j++) {
        drawn[j] = 1 + random.nextInt(SLOTS - 1);
        for (int i = 0; i < DIMENSION; i++) {
          perturbations[j][i] = rho * random.nextGaussian();
        }
      }
      for (int hit = 0; hit < HITS; ) {
        int j = random.nextInt(STEPS);
        hit += drawn[j] == 0 ? 0 : 1;
        drawn[j] = 0; // the slot that differs
      }
    }

    double[] distances() {
      double[][] ends = new double[2][DIMENSION];
      double[][] averages = new double[2][DIMENSION];
      for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        double[] end = ends[side];
        Pool pool = (entry, offset, factor, into) -> {
          add(entry, offset, factor * (drawn[entry] == 0 ? sign : 1), into);
          if (entry == STEPS - 1) {
            System.arraycopy(into, 0, end, 0, DIMENSION);
          }
        };
        new ErmPhase(STEPS, STEP, 0).average(pool, 0, 0, RADIUS, averages[side]);
      }
      return new double[] {
        distance(ends[0], ends[1]) / (HITS * STEP),
        distance(averages[0], averages[1]) / (HITS * STEP)
      };
    }

    private void add(int entry, double[] offset, double factor, double[] into) {
      double[] a = features[drawn[entry]];
      double error = Vectors.dot(a, perturbations[entry], DIMENSION) - labels[drawn[entry]];
      double weight = ImportanceWeight.of(offset, perturbations[entry], rho);
      for (int i = 0; i < DIMENSION; i++) {
        into[i] += factor * weight * Math.signum(error) * a[i];
      }
    }
  }

  private static double distance(double[] a, double[] b) {
    double squares = 0;
    for (int i = 0; i < a.length; i++) {
      squares += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(squares);
  }
}
