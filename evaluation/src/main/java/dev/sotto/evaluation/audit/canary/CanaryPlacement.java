package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which rounds each canary of a run takes part in. Canary i has coordinate i of the window to
 * itself; the schedules that move C u most come first.
 */
final class CanaryPlacement {
  private final int horizon;
  private final List<double[]> moved = new ArrayList<>(); // of each kind of schedule: C u
  private final int[] kinds; // of each canary
  private final int[][] canariesOf; // of each round, from 0

  /**
   * Places as many canaries as there is room for.
   *
   * @param schedules what one unit may do, each as its rounds from 1, ascending
   * @param room how many canaries a round may hold, at least 1
   * @param most how many canaries there may be
   */
  CanaryPlacement(List<long[]> schedules, NoiseMatrix matrix, int horizon, int room, int most) {
    this.horizon = horizon;
    List<long[]> ordered = new ArrayList<>();
    record Kind(long[] rounds, double[] rows, double norm) {}
    List<Kind> all = new ArrayList<>();
    for (long[] rounds : schedules) {
      double[] rows = matrix.moved(rounds, horizon);
      all.add(new Kind(rounds, rows, norm(rows)));
    }
    all.sort(Comparator.comparingDouble(Kind::norm).reversed());
    int[] used = new int[horizon];
    int[] kindOf = new int[most];
    int count = 0;
    for (Kind kind : all) {
      int left = room;
      for (long round : kind.rounds()) {
        left = Math.min(left, room - used[(int) round - 1]);
      }
      left = Math.min(left, most - count);
      for (long round : kind.rounds()) {
        used[(int) round - 1] += left;
      }
      Arrays.fill(kindOf, count, count + left, ordered.size());
      count += left;
      ordered.add(kind.rounds());
      moved.add(kind.rows());
    }
    kinds = Arrays.copyOf(kindOf, count);
    canariesOf = new int[horizon][];
    for (int t = 0; t < horizon; t++) {
      canariesOf[t] = new int[used[t]];
    }
    int[] next = new int[horizon];
    for (int canary = 0; canary < count; canary++) {
      for (long round : ordered.get(kinds[canary])) {
        int t = (int) round - 1;
        canariesOf[t][next[t]++] = canary;
      }
    }
  }

  private static double norm(double[] rows) {
    double squares = 0;
    for (double each : rows) {
      squares += each * each;
    }
    return Math.sqrt(squares);
  }

  /** How many canaries a run has. */
  int size() {
    return kinds.length;
  }

  int horizon() {
    return horizon;
  }

  /** The canaries in a round, from 1. */
  int[] in(int round) {
    return canariesOf[round - 1];
  }

  /** Row {@code round} of C u of a canary. */
  double moved(int canary, int round) {
    return moved.get(kinds[canary])[round - 1];
  }

  /** All rows of C u of a canary, from index 0. */
  double[] moved(int canary) {
    return moved.get(kinds[canary]);
  }

  /** The l2 norm of C u of a canary. */
  double norm(int canary) {
    return norm(moved(canary));
  }
}
