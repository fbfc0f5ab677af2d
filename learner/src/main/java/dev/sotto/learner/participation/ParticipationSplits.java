package dev.sotto.learner.participation;

import dev.sotto.learner.participation.WorstSchedule.Alike;
import java.util.List;

/** Every way to deal out participations to generations, by dynamic programming. */
final class ParticipationSplits {
  private final int most;
  private final double largest;

  ParticipationSplits(List<Alike> alike, int most, long separation, SquaredSensitivity f) {
    this.most = most;
    double[] best = new double[most + 1]; // with exactly, or at most, that number of participations
    for (Alike these : alike) {
      double[] one = new double[(int) these.room(new ContributionBound(most, separation)) + 1];
      for (int a = 1; a < one.length; a++) {
        one[a] = WorstSchedule.checked(f, these.rounds(), new ContributionBound(a, separation));
      }
      best = these.copies() >= most
          ? together(best, unlimited(one))
          : together(best, times(one, these.copies()));
    }
    double found = 0;
    for (double each : best) {
      found = Math.max(found, each);
    }
    largest = found;
  }

  double largest() {
    return largest;
  }

  /** The best of each total when it is split in two. */
  private double[] together(double[] left, double[] right) {
    double[] best = new double[(int) Math.min(most, left.length + right.length - 2L) + 1];
    for (int a = 0; a < left.length; a++) {
      for (int b = 0; b < right.length && a + b < best.length; b++) {
        best[a + b] = Math.max(best[a + b], UpwardRounding.sum(left[a], right[b]));
      }
    }
    return best;
  }

  /** Of a number of generations (at least 1) that are alike. */
  private double[] times(double[] one, long copies) {
    double[] power = one;
    double[] best = {0};
    for (long left = copies; ; power = together(power, power)) {
      best = (left & 1) == 1 ? together(best, power) : best;
      left >>= 1;
      if (left == 0) {
        return best;
      }
    }
  }

  /** Of as many generations as there are participations. */
  private double[] unlimited(double[] one) {
    double[] best = new double[most + 1];
    for (int total = 1; total <= most; total++) {
      for (int a = 1; a < one.length && a <= total; a++) {
        best[total] = Math.max(best[total], UpwardRounding.sum(best[total - a], one[a]));
      }
    }
    return best;
  }
}
