package dev.sotto.learner.optimizer.resque.theory;

/**
 * Makes a point that is near with high probability of some that are near with probability 2/3
 * (Lemma 11).
 */
public final class Aggregate {
  private static final double SHARE = 0.51;

  /** One over the Kullback-Leibler divergence of 0.51 from 2/3, rounded up. */
  private static final double REPEATS = 20;

  private Aggregate() {}

  /**
   * Independent repeats with which the answer is near except with probability zeta (Algorithm 7).
   *
   * @param zeta between 0 and 1
   */
  public static int repeats(double zeta) {
    if (!(zeta > 0 && zeta < 1)) {
      throw new IllegalArgumentException("zeta must be between 0 and 1, but was " + zeta);
    }
    return (int) Math.ceil(-REPEATS * StrictMath.log(zeta));
  }

  /** delta of repeats of {@link RestartSchedule}: each is within a third with odds of 2 to 1. */
  public static double delta(SolverSize size, double lambda) {
    return 9 * Math.sqrt(2 * RestartSchedule.gap(size, lambda) / lambda);
  }

  /**
   * The first point with at least 0.51 k of the k points, itself included, within {@code 2 delta /
   * 3}; where there is none, the one with most. If 0.51 k points lie within {@code delta / 3} of a
   * place, the answer lies within delta of it: two majorities have a point in common.
   *
   * @param points at least one, of equal lengths
   * @param delta at least 0
   * @return its number, from 0
   */
  public static int choose(double[][] points, double delta) {
    if (points.length == 0 || !(delta >= 0)) {
      throw new IllegalArgumentException("there must be at least one point, and delta must be at"
          + " least 0, but were " + points.length + " and " + delta);
    }
    double needed = SHARE * points.length;
    int best = 0;
    int most = 0;
    for (int i = 0; i < points.length; i++) {
      int near = 0;
      for (double[] other : points) {
        near += isNear(points[i], other, 2 * delta / 3) ? 1 : 0;
      }
      if (near >= needed) {
        return i;
      }
      if (near > most) {
        most = near;
        best = i;
      }
    }
    return best;
  }

  private static boolean isNear(double[] a, double[] b, double distance) {
    double square = 0;
    for (int i = 0; i < a.length; i++) {
      square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(square) <= distance;
  }
}
