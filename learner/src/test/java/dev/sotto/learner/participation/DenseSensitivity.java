package dev.sotto.learner.participation;

import java.util.HashMap;
import java.util.Map;

/** Worst schedules by trying them all, with a dense Toeplitz C of a few rounds. */
final class DenseSensitivity implements SquaredSensitivity {
  private final double[] coefficients;
  private final Map<Long, Double> norms = new HashMap<>();

  DenseSensitivity(double... coefficients) {
    this.coefficients = coefficients;
  }

  @Override
  public double of(long rounds, ContributionBound bound) {
    double worst = 0;
    for (long schedule = 0; schedule < 1L << rounds; schedule++) {
      if (admits(bound, schedule)) {
        worst = Math.max(worst, squares(schedule, (int) rounds));
      }
    }
    return worst;
  }

  /** The worst over all schedules (bit i: round i + 1) that a bound admits, over generations. */
  double worst(GenerationSchedule generations, int rounds, ContributionBound bound) {
    double worst = 0;
    for (long schedule = 0; schedule < 1L << rounds; schedule++) {
      if (admits(bound, schedule)) {
        double sum = 0;
        for (int generation = 0; generation <= generations.of(rounds); generation++) {
          int before = (int) generations.start(generation) - 1;
          int length = (int) Math.min(generations.length(generation), rounds - before);
          sum += squares(schedule >> before & (1L << length) - 1, length);
        }
        worst = Math.max(worst, sum);
      }
    }
    return worst;
  }

  private static boolean admits(ContributionBound bound, long schedule) {
    boolean apart = true;
    for (int gap = 1; gap < bound.separation() && gap < 63; gap++) {
      apart &= (schedule & schedule >> gap) == 0;
    }
    return apart && Long.bitCount(schedule) <= bound.most();
  }

  private double squares(long schedule, int rounds) {
    return norms.computeIfAbsent(schedule << 8 | rounds, key -> {
      double sum = 0;
      for (int row = 0; row < rounds; row++) {
        double moved = 0;
        for (int column = 0; column <= row; column++) {
          moved += (schedule >> column & 1) == 1 ? coefficients[row - column] : 0;
        }
        sum += moved * moved;
      }
      return sum;
    });
  }
}
