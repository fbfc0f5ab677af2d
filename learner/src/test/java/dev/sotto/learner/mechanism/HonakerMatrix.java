package dev.sotto.learner.mechanism;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** The matrices of {@link HonakerTree}, written out: slow and plain. */
public final class HonakerMatrix {
  private HonakerMatrix() {}

  private static int count(int rounds) {
    int count = 0;
    for (int size = 1; size <= rounds; size *= 2) {
      count += rounds / size;
    }
    return count;
  }

  private static int place(int rounds, int level, int node) {
    return count(rounds) - count(rounds >> level) + node - 1;
  }

  /** C: a row for each complete dyadic block, the smallest first; 1 for each of its rounds. */
  static DMatrixRMaj nodes(int rounds) {
    DMatrixRMaj c = new DMatrixRMaj(count(rounds), rounds);
    for (int level = 0; 1 << level <= rounds; level++) {
      for (int node = 1; node <= rounds >> level; node++) {
        for (int round = (node - 1) << level; round < node << level; round++) {
          c.set(place(rounds, level, node), round, 1);
        }
      }
    }
    return c;
  }

  /** The covariance of the noise of the prefixes, for nodes of variance 1. */
  public static DMatrixRMaj prefixCovariance(int rounds) {
    DMatrixRMaj b = new DMatrixRMaj(rounds, count(rounds));
    for (int t = 1; t <= rounds; t++) {
      int covered = 0;
      for (int left = t; left > 0; left -= Integer.highestOneBit(left)) {
        int level = 31 - Integer.numberOfLeadingZeros(left);
        covered += 1 << level;
        addEstimate(b, t - 1, rounds, level, covered >> level, 1);
      }
    }
    DMatrixRMaj covariance = new DMatrixRMaj(rounds, rounds);
    CommonOps_DDRM.multTransB(b, b, covariance);
    return covariance;
  }

  private static void addEstimate(
      DMatrixRMaj b, int row, int rounds, int level, int node, double weight) {
    double own = weight / (2 - Math.pow(2, -level));
    b.add(row, place(rounds, level, node), own);
    if (level > 0) {
      addEstimate(b, row, rounds, level - 1, 2 * node - 1, weight - own);
      addEstimate(b, row, rounds, level - 1, 2 * node, weight - own);
    }
  }

  /**
   * The square of what the best linear statistic of all prefixes tells of a unit change in one
   * round, from 0.
   */
  public static double told(DMatrixRMaj prefixCovariance, int round) {
    double[] moved = new double[prefixCovariance.numRows];
    for (int t = round; t < moved.length; t++) {
      moved[t] = 1;
    }
    double[] best = Separation.solve(prefixCovariance, moved);
    double told = 0;
    for (int t = 0; t < moved.length; t++) {
      told += best[t] * moved[t];
    }
    return told;
  }

  /**
   * The square of what prefixes tell at most: less than the sensitivity, which is that of all
   * nodes.
   */
  static double mostTold(int rounds) {
    DMatrixRMaj covariance = prefixCovariance(rounds);
    double most = 0;
    for (int round = 0; round < rounds; round++) {
      most = Math.max(most, told(covariance, round));
    }
    return most;
  }
}
