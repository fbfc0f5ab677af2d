package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;

/**
 * The matrix C of a plan (docs/privacy.md, "Noise mechanisms"), as an adversary uses it: from noisy
 * prefix sums {@code S~ = A C^-1 (C g + z)} back to {@code C g + z}, where the noise is white and
 * one participation stands out most.
 *
 * <p>The mechanism writes C row by row from its definition, apart from the code that draws its
 * noise. The audit compares the noise that was drawn with it, so that one checks the other. Where
 * an algorithm restarts, sums and noise begin anew: C has one block for each generation.
 *
 * <p>Where rounds are blocks of queries, each answer is a release of its own with fresh noise: row
 * and "round" are then those of a query, nothing is a prefix, and what a slot moves in the row of a
 * query that reads it is one over the noise of that query.
 *
 * <p>Rounds count from 1. Rows are computed as they are needed.
 */
public final class NoiseMatrix {
  private static final int ROWS = 64; // to begin with

  private final Mechanism mechanism;
  private final GenerationSchedule generations;
  private final ReleaseSchedule releases;
  private double[][] rows; // of one generation

  private NoiseMatrix(
      Mechanism mechanism, GenerationSchedule generations, ReleaseSchedule releases) {
    this.mechanism = mechanism;
    this.generations = generations;
    this.releases = releases;
    this.rows = releases.isOfQueries() ? null : mechanism.matrix(ROWS);
  }

  /**
   * The matrix of a plan: that of its mechanism, once in each generation.
   *
   * @throws IllegalArgumentException for a mechanism without noise
   */
  public static NoiseMatrix of(Plan plan) {
    return new NoiseMatrix(plan.mechanism(), plan.generations(), ReleaseSchedule.of(plan));
  }

  /** A row from its generation's first round up to the diagonal. */
  private synchronized double[] row(long round) {
    if (releases.isOfQueries()) {
      return new double[] {1 / releases.noise((int) round)};
    }
    int within = Math.toIntExact(generations.within(round));
    if (within > rows.length) {
      rows = mechanism.matrix(Math.max(within, 2 * rows.length));
    }
    return rows[within - 1];
  }

  /** Whether sums begin anew in a round. */
  public boolean isRestart(long round) {
    return releases.isOfQueries() || generations.within(round) == 1;
  }

  /** White noise out of noisy prefix sums. */
  public final class Whitener {
    private final List<double[]> before = new ArrayList<>(); // of this generation: sums of rounds
    private final double[] last;
    private long round = 1;

    private Whitener(int dimension) {
      last = new double[dimension];
    }

    /**
     * Writes row t of C g + z, without taking the prefix for granted yet.
     *
     * @param prefix the noisy prefix sum after round t
     */
    public void white(double[] prefix, double[] into) {
      double[] row = row(round);
      double diagonal = row[before.size()];
      for (int i = 0; i < into.length; i++) {
        into[i] = diagonal * (prefix[i] - last[i]);
      }
      addMultiples(row, before, 1, into);
    }

    /** Goes on to the next round from the prefix that was committed. */
    public void advance(double[] prefix) {
      double[] sum = new double[last.length];
      for (int i = 0; i < sum.length; i++) {
        sum[i] = prefix[i] - last[i];
        last[i] = prefix[i];
      }
      before.add(sum);
      round++;
      if (isRestart(round)) {
        before.clear();
        Arrays.fill(last, 0);
      }
    }
  }

  /** Noise of prefix sums out of white noise, by forward substitution: what a learner does. */
  public final class Colourer {
    private final List<double[]> before = new ArrayList<>(); // of this generation: C^-1 z
    private final double[] sum;
    private long round = 1;

    private Colourer(int dimension) {
      sum = new double[dimension];
    }

    /** Writes N_t, without taking this round's white noise for granted yet. */
    public void colour(double[] white, double[] into) {
      step(white, into);
      for (int i = 0; i < into.length; i++) {
        into[i] += sum[i];
      }
    }

    /** Goes on to the next round. */
    public void advance(double[] white) {
      double[] step = new double[sum.length];
      step(white, step);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += step[i];
      }
      before.add(step);
      round++;
      if (isRestart(round)) {
        before.clear();
        Arrays.fill(sum, 0);
      }
    }

    private void step(double[] white, double[] into) {
      double[] row = row(round);
      System.arraycopy(white, 0, into, 0, into.length);
      addMultiples(row, before, -1, into);
      double diagonal = row[before.size()];
      for (int i = 0; i < into.length; i++) {
        into[i] /= diagonal;
      }
    }
  }

  private static void addMultiples(
      double[] factors, List<double[]> vectors, int sign, double[] into) {
    for (int s = 0; s < vectors.size(); s++) {
      double factor = sign * factors[s];
      if (factor != 0) {
        double[] vector = vectors.get(s);
        for (int i = 0; i < into.length; i++) {
          into[i] += factor * vector[i];
        }
      }
    }
  }

  /** A whitener before the first round. */
  public Whitener whitener(int dimension) {
    return new Whitener(dimension);
  }

  /** A colourer before the first round. */
  public Colourer colourer(int dimension) {
    return new Colourer(dimension);
  }

  /** C of all rounds up to a horizon. */
  private DMatrixRMaj dense(int horizon) {
    DMatrixRMaj c = new DMatrixRMaj(horizon, horizon);
    for (int t = 1; t <= horizon; t++) {
      double[] row = row(t);
      System.arraycopy(row, 0, c.data, (t - 1) * horizon + t - row.length, row.length);
    }
    return c;
  }

  /**
   * One participation pattern as C u.
   *
   * @param rounds the rounds of the participations, from 1, ascending
   * @param horizon the number of rows
   * @return rows 1 to {@code horizon}, from index 0
   */
  public double[] moved(long[] rounds, int horizon) {
    double[] moved = new double[horizon];
    if (releases.isOfQueries()) {
      for (long round : rounds) {
        moved[(int) round - 1] += row(round)[0];
      }
      return moved;
    }
    for (int t = 1; t <= horizon; t++) {
      double[] row = row(t);
      int first = t - row.length; // of the rounds before this generation
      for (long round : rounds) {
        if (round > first && round <= t) {
          moved[t - 1] += row[(int) round - first - 1];
        }
      }
    }
    return moved;
  }

  /** The variances of N_t, the noise of release t, and of its changes. */
  public ReleaseVariances variances(int horizon) {
    if (!releases.isOfQueries()) {
      return ReleaseVariances.of(prefixRows(horizon));
    }
    return new ReleaseVariances() {
      @Override
      public double variance(int t, int s) {
        return power(t, 2) + power(s, 2);
      }

      @Override
      public double fourthPowers(int t, int s) {
        return power(t, 4) + power(s, 4);
      }

      private double power(int t, int exponent) {
        return t == 0 ? 0 : Math.pow(releases.noise(t), exponent);
      }
    };
  }

  /** B = A C^-1: row t says how white noise adds up in N_t. */
  public double[][] prefixRows(int horizon) {
    DMatrixRMaj inverse = dense(horizon);
    TriangularSolver_DDRM.invertLower(inverse.data, horizon);
    double[][] rows = new double[horizon][];
    DMatrixRMaj row = new DMatrixRMaj(1, horizon);
    for (int t = 1; t <= horizon; t++) {
      DMatrixRMaj step = CommonOps_DDRM.extractRow(inverse, t - 1, null);
      if (isRestart(t)) {
        row.setTo(step);
      } else {
        CommonOps_DDRM.addEquals(row, step);
      }
      rows[t - 1] = row.data.clone();
    }
    return rows;
  }
}
