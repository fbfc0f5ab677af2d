package dev.sotto.learner.optimizer.resque.theory;

import java.util.ArrayList;
import java.util.List;

/**
 * Localisation over disjoint parts of a block (Theorem 4): part i has n / 2^i slots, and solves a
 * problem that is regularised around the answer of the part before. As parts are disjoint each may
 * spend the whole budget; the printed split of epsilon wastes it.
 *
 * @param slots n_i
 * @param step eta_i
 * @param lambda 1 / (eta_i n_i)
 */
public record LocalizationSplit(long slots, double step, double lambda) {
  /**
   * The parts of a block.
   *
   * @param slots n, at least 2
   * @param scale R / L
   * @param signal epsilon / sqrt(d log(1 / delta))
   */
  public static List<LocalizationSplit> of(long slots, double scale, double signal) {
    if (slots < 2 || !(scale > 0 && signal > 0)) {
      throw new IllegalArgumentException("slots must be at least 2, and scale and signal positive,"
          + " but were " + slots + ", " + scale + " and " + signal);
    }
    double eta = scale * Math.min(1 / Math.sqrt(slots), signal);
    List<LocalizationSplit> parts = new ArrayList<>();
    for (long each = slots / 2; each >= 1; each /= 2) {
      eta /= 4;
      parts.add(new LocalizationSplit(each, eta, 1 / (eta * each)));
    }
    return parts;
  }

  /** The order of the queries that a block takes, without powers of logarithms. */
  public static double queries(double slots, double dimension, double epsilon) {
    double linear = slots + StrictMath.pow(slots * dimension, 2.0 / 3) / epsilon;
    double other = slots * slots * epsilon * epsilon / dimension
        + slots * StrictMath.cbrt(slots) * StrictMath.cbrt(epsilon);
    return Math.min(linear, other);
  }

  /**
   * The queries of all parts together.
   *
   * @param halved whether part i has epsilon / 2^i only, as printed
   */
  public static double queriesOfParts(
      double slots, double dimension, double epsilon, boolean halved) {
    double sum = 0;
    double each = slots;
    double budget = epsilon;
    while (each / 2 >= 1) {
      each /= 2;
      budget = halved ? budget / 2 : budget;
      sum += queries(each, dimension, budget);
    }
    return sum;
  }
}
