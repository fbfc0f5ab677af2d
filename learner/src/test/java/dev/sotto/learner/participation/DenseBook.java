package dev.sotto.learner.participation;

import java.util.List;

/**
 * What a schedule costs, by the definition: the squares of C u, row by row, generation by
 * generation.
 */
final class DenseBook {
  private static final int TAIL =
      2100; // .98^2100 < 1e-18: rows that follow cost nothing that a double shows

  private final double[] coefficients; // of C: 1, sum omega, sum omega theta, ...
  private final GenerationSchedule generations;
  private final double ratioSquared;
  private final double metricsRatioSquared;

  /**
   * A book.
   *
   * @param memory with no theta above .98
   * @param longest the last round of any schedule
   */
  DenseBook(
      ColumnDecay memory,
      GenerationSchedule generations,
      double ratioSquared,
      double metricsRatioSquared,
      int longest) {
    this.generations = generations;
    this.ratioSquared = ratioSquared;
    this.metricsRatioSquared = metricsRatioSquared;
    coefficients = new double[longest + TAIL];
    double[] power = memory.omega();
    double[] theta = memory.theta();
    coefficients[0] = 1;
    for (int k = 1; k < coefficients.length; k++) {
      for (int m = 0; m < power.length; m++) {
        coefficients[k] += power[m];
        power[m] *= theta[m];
      }
    }
  }

  /** (s/sigma)^2 times the squares of all rows of C u that there will ever be, and the metrics. */
  double committed(List<Long> rounds) {
    return spent(rounds, Long.MAX_VALUE);
  }

  /** The same up to and including a row. */
  double spent(List<Long> rounds, long until) {
    double squares = 0;
    for (int i = 0; i < rounds.size(); i++) {
      int generation = generations.of(rounds.get(i));
      if (i == 0 || generations.of(rounds.get(i - 1)) != generation) {
        squares += squares(rounds, generation, until);
      }
    }
    return ratioSquared * squares + metricsRatioSquared * rounds.size();
  }

  private double squares(List<Long> rounds, int generation, long until) {
    List<Long> inside =
        rounds.stream().filter(each -> generations.of(each) == generation).toList();
    long end = Math.min(until, generations.last(generation));
    double sum = 0;
    for (long row = inside.get(0); row <= end; row++) {
      if (row - inside.get(inside.size() - 1) >= TAIL) {
        break;
      }
      double moved = 0;
      for (long round : inside) {
        moved += round <= row ? coefficients[(int) (row - round)] : 0;
      }
      sum += moved * moved;
    }
    return sum;
  }
}
