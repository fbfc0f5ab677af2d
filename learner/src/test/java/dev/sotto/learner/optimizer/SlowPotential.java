package dev.sotto.learner.optimizer;

import static dev.sotto.learner.optimizer.Potentials.BOX;
import static dev.sotto.learner.optimizer.Potentials.L2;
import static dev.sotto.learner.optimizer.Potentials.LP;
import static dev.sotto.learner.optimizer.Potentials.SIMPLEX;

import java.util.Random;
import java.util.stream.Stream;

/** A potential beside Psi and W as the page defines them, each written down once more. */
record SlowPotential(
    Potentials kind, Potential potential, double p, double[] center, double low, double high) {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  static Stream<SlowPotential> all() {
    double[] center = {0.5, -2, 3};
    return Stream.of(
        new SlowPotential(L2, new EuclideanBall(null, INFINITY), 2, null, 0, INFINITY),
        new SlowPotential(L2, new EuclideanBall(null, 0.7), 2, null, 0, 0.7),
        new SlowPotential(L2, new EuclideanBall(center, 2), 2, center, 0, 2),
        new SlowPotential(L2, new EuclideanBall(center, INFINITY), 2, center, 0, INFINITY),
        new SlowPotential(LP, new LpBall(2, 0.7), 2, null, 0, 0.7),
        new SlowPotential(LP, new LpBall(1.5, INFINITY), 1.5, null, 0, INFINITY),
        new SlowPotential(LP, new LpBall(1.5, 0.3), 1.5, null, 0, 0.3),
        new SlowPotential(LP, new LpBall(1.05, 2), 1.05, null, 0, 2),
        new SlowPotential(LP, new LpBall(1.3, 5), 1.3, null, 0, 5),
        new SlowPotential(BOX, new Box(-1, 1), 2, null, -1, 1),
        new SlowPotential(BOX, new Box(0.5, 3), 2, null, 0.5, 3),
        new SlowPotential(BOX, new Box(-4, -1), 2, null, -4, -1),
        new SlowPotential(BOX, new Box(0, INFINITY), 2, null, 0, INFINITY),
        new SlowPotential(BOX, new Box(-INFINITY, INFINITY), 2, null, -INFINITY, INFINITY),
        new SlowPotential(SIMPLEX, new Simplex(1), 1, null, 0, 1),
        new SlowPotential(SIMPLEX, new Simplex(7), 1, null, 0, 7));
  }

  @Override
  public String toString() {
    return kind + " p " + p + " " + low + ".." + high + (center == null ? "" : " off centre");
  }

  /** The dimension asked for, unless the set has one of its own. */
  int dimension(int wanted) {
    return center == null ? wanted : center.length;
  }

  double psi(double[] w) {
    double sum = 0;
    for (int i = 0; i < w.length; i++) {
      sum += switch (kind) {
        case L2 -> square(w[i] - (center == null ? 0 : center[i])) / 2;
        case LP -> Math.pow(Math.abs(w[i]), p);
        case BOX -> square(w[i]) / 2;
        case SIMPLEX -> w[i] == 0 ? 0 : high * w[i] * Math.log(w[i] / high);
      };
    }
    return kind == LP ? square(Math.pow(sum, 1 / p)) / (2 * (p - 1)) : sum;
  }

  double objective(double[] gradient, double eta, double[] w) {
    double inner = 0;
    for (int i = 0; i < w.length; i++) {
      inner += gradient[i] * w[i];
    }
    return inner + psi(w) / eta;
  }

  /** The size of the terms in {@link #objective}, for tolerances. */
  double objectiveSize(double[] gradient, double eta, double[] w) {
    double sum = Math.abs(psi(w) / eta) + (kind == SIMPLEX ? high * high / eta : 0);
    for (int i = 0; i < w.length; i++) {
      sum +=
          Math.abs(gradient[i] * w[i]) + (center == null ? 0 : Math.abs(gradient[i] * center[i]));
    }
    return sum;
  }

  /** Whether a point lies in W, up to rounding. */
  boolean holds(double[] w) {
    double sum = 0;
    for (int i = 0; i < w.length; i++) {
      switch (kind) {
        case BOX -> {
          if (!(w[i] >= low && w[i] <= high)) {
            return false;
          }
        }
        case SIMPLEX -> {
          if (!(w[i] >= 0)) {
            return false;
          }
          sum += w[i];
        }
        default -> sum += Math.pow(Math.abs(w[i] - (center == null ? 0 : center[i])), p);
      }
    }
    return switch (kind) {
      case BOX -> true;
      case SIMPLEX -> Math.abs(sum - high) <= 1e-14 * high;
      default -> Math.pow(sum, 1 / p) <= high * (1 + 1e-14);
    };
  }

  /** A random point of W, often on its boundary. */
  double[] point(Random random, int dimension) {
    double[] w = new double[dimension];
    double sum = 0;
    for (int i = 0; i < dimension; i++) {
      w[i] = switch (kind) {
        case BOX -> Math.max(low, Math.min(high, 3 * random.nextGaussian()));
        case SIMPLEX -> -Math.log(1 - random.nextDouble());
        default -> 3 * random.nextGaussian();
      };
      sum += kind == BOX ? 0 : Math.pow(Math.abs(w[i]), p);
    }
    double size = high / Math.pow(sum, 1 / p); // infinite where W has no bound
    double share = random.nextBoolean() ? 1 : random.nextDouble();
    double factor = kind == SIMPLEX ? size : Math.min(1, size * share);
    for (int i = 0; i < dimension && kind != BOX; i++) {
      w[i] = w[i] * factor + (center == null ? 0 : center[i]);
    }
    return w;
  }

  private static double square(double x) {
    return x * x;
  }
}
