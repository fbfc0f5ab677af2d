package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Which rounds each canary of a run takes part in. Canary i has coordinate i of the window to
 * itself; the schedules that move C u most come first.
 *
 * <p>Where rounds are blocks, releases are answers of queries, and a canary has a slot of a block:
 * the queries that read it are its releases. Places are counted in groups: one for each block and
 * class of slots, elsewhere one for each round.
 */
final class CanaryPlacement {
  private final int horizon;
  private final NoiseMatrix matrix;
  private final List<double[]> moved = new ArrayList<>(); // of each kind of schedule: C u
  private final Map<Integer, double[]> matched = new HashMap<>(); // of kinds: C^T C u
  private final int[] kinds; // of each canary
  private final int[][] canariesOf; // of each group of places, from 0

  /**
   * What one unit may do.
   *
   * @param releases in which it takes part, from 1, ascending
   * @param amounts what it adds to each of them, as a multiple of the clip
   * @param groups of places, from 0, in each of which it has one
   * @param room how many such units fit into a group, at least 1
   */
  record Participations(long[] releases, double[] amounts, int[] groups, int room) {
    /** Of a unit that adds a whole clip each time. */
    static Participations whole(long[] releases, int[] groups, int room) {
      double[] amounts = new double[releases.length];
      Arrays.fill(amounts, 1);
      return new Participations(releases, amounts, groups, room);
    }
  }

  /**
   * What units may do.
   *
   * @param groups how many groups of places there are
   */
  record Schedules(List<Participations> all, int groups) {}

  /**
   * Places as many canaries as there is room for.
   *
   * @param schedules what one unit may do, each as its rounds from 1, ascending
   * @param room how many canaries a round may hold, at least 1
   * @param most how many canaries there may be
   */
  CanaryPlacement(List<long[]> schedules, NoiseMatrix matrix, int horizon, int room, int most) {
    this(
        new Schedules(
            schedules.stream()
                .map(rounds -> Participations.whole(
                    rounds, LongStream.of(rounds).mapToInt(t -> (int) t - 1).toArray(), room))
                .toList(),
            horizon),
        matrix,
        horizon,
        most);
  }

  /**
   * The same by groups of places.
   *
   * @param horizon the number of releases
   */
  CanaryPlacement(Schedules schedules, NoiseMatrix matrix, int horizon, int most) {
    this.matrix = matrix;
    this.horizon = horizon;
    int groups = schedules.groups();
    record Kind(Participations schedule, double[] rows, double norm) {}
    List<Kind> all = new ArrayList<>();
    for (Participations schedule : schedules.all()) {
      double[] rows = matrix.moved(schedule.releases(), schedule.amounts(), horizon);
      all.add(new Kind(schedule, rows, norm(rows)));
    }
    all.sort(Comparator.comparingDouble(Kind::norm).reversed());
    int[] used = new int[groups];
    int[] kindOf = new int[most];
    List<int[]> ordered = new ArrayList<>(); // groups of each kind that has canaries
    int count = 0;
    for (Kind kind : all) {
      int left = kind.schedule().room();
      for (int group : kind.schedule().groups()) {
        left = Math.min(left, kind.schedule().room() - used[group]);
      }
      left = Math.min(left, most - count);
      for (int group : kind.schedule().groups()) {
        used[group] += left;
      }
      if (left > 0) {
        Arrays.fill(kindOf, count, count + left, ordered.size());
        count += left;
        ordered.add(kind.schedule().groups());
        moved.add(kind.rows());
      }
    }
    kinds = Arrays.copyOf(kindOf, count);
    canariesOf = new int[groups][];
    for (int group = 0; group < groups; group++) {
      canariesOf[group] = new int[used[group]];
    }
    int[] next = new int[groups];
    for (int canary = 0; canary < count; canary++) {
      for (int group : ordered.get(kinds[canary])) {
        canariesOf[group][next[group]++] = canary;
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

  /** The canary at a place of a group, both from 0; -1 where there is none. */
  int at(int group, long place) {
    int[] canaries = canariesOf[group];
    return place < canaries.length ? canaries[(int) place] : -1;
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

  /** C^T C u of a canary: {@link NoiseMatrix#matched}. */
  synchronized double[] matched(int canary) {
    return matched.computeIfAbsent(kinds[canary], kind -> matrix.matched(moved.get(kind)));
  }

  /** The l2 norm of C u of a canary. */
  double norm(int canary) {
    return norm(moved(canary));
  }
}
