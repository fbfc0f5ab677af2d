package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.AnswerRows;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.mechanism.QueryMechanism;
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
 * <p>Where answers enter trees, their mechanism writes out rows, and what a participation moves in
 * them: {@link AnswerRows}.
 *
 * <p>Rounds count from 1. Rows are computed as they are needed.
 */
public final class NoiseMatrix {
  private static final int ROWS = 64; // to begin with

  private final PrefixMechanism prefixes; // null where queries have noise of their own
  private final GenerationSchedule generations;
  private final ReleaseSchedule releases;
  private final AnswerRows answers; // null where prefixes have noise
  private double[][] rows; // of one generation

  private NoiseMatrix(
      Mechanism mechanism, GenerationSchedule generations, ReleaseSchedule releases) {
    this.prefixes = mechanism.ofPrefixes().orElse(null);
    this.generations = generations;
    this.releases = releases;
    this.answers = mechanism.ofQueries().map(QueryMechanism::answerRows).orElse(null);
    this.rows = prefixes == null ? new double[0][] : prefixes.matrix(ROWS);
  }

  /**
   * The matrix of a plan: that of its mechanism, once in each generation.
   *
   * @throws IllegalArgumentException where the audit knows no rows of the mechanism
   */
  public static NoiseMatrix of(Plan plan) {
    return new NoiseMatrix(plan.mechanism(), plan.generations(), ReleaseSchedule.of(plan));
  }

  /** A row from its generation's first round up to the diagonal. */
  synchronized double[] row(long round) {
    if (answers != null) {
      return answers.row((int) query(round));
    }
    int within = Math.toIntExact(generations.within(round));
    if (within > rows.length) {
      rows = prefixes.matrix(Math.max(within, 2 * rows.length));
    }
    return rows[within - 1];
  }

  /** The query that a release ends with, from 1, since sums began anew. */
  private long query(long release) {
    return releases.isOfQueries() ? releases.number((int) release) : generations.within(release);
  }

  /** Whether sums begin anew in a round. */
  public boolean isRestart(long round) {
    return answers == null
        ? generations.within(round) == 1
        : answers.isFresh() || query(round) == 1;
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

  static void addMultiples(double[] factors, List<double[]> vectors, int sign, double[] into) {
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
    double[] whole = new double[rounds.length];
    Arrays.fill(whole, 1);
    return moved(rounds, whole, horizon);
  }

  /**
   * The same of participations that move their rounds by other amounts.
   *
   * @param amounts one for each, as multiples of the clip
   */
  public double[] moved(long[] rounds, double[] amounts, int horizon) {
    double[] moved = new double[horizon];
    for (int i = 0; i < rounds.length; i++) {
      move((int) rounds[i], amounts[i], moved);
    }
    return moved;
  }

  /**
   * C^T C u of a C u, where prefixes have noise: what the sums of the rounds are multiplied by, so
   * that C u times the white rows comes out.
   */
  public double[] matched(double[] moved) {
    double[] matched = new double[moved.length];
    for (int t = 1; t <= moved.length; t++) {
      double[] row = row(t);
      for (int j = 0; j < row.length; j++) {
        matched[t - row.length + j] += row[j] * moved[t - 1];
      }
    }
    return matched;
  }

  private void move(int round, double amount, double[] moved) {
    long last = answers == null ? moved.length : round - 1 + answers.reach();
    for (int t = round; t <= Math.min(last, moved.length) && (t == round || !isRestart(t)); t++) {
      if (answers == null) {
        double[] row = row(t);
        moved[t - 1] += amount * row[round - 1 - (t - row.length)];
      } else {
        moved[t - 1] += amount * answers.moved((int) query(t), (int) query(round));
      }
    }
  }

  /** The variances of N_t, the noise of release t, and of its changes. */
  public ReleaseVariances variances(int horizon) {
    return answers != null && answers.isFresh()
        ? ReleaseVariances.ofFresh(release -> 1 / row(release)[0])
        : ReleaseVariances.of(prefixRows(horizon));
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
