package dev.sotto.app.audit.noise;

import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Memory;

/**
 * The matrix C of a mechanism (privacy.md section 4), as an adversary uses it: from noisy prefix sums {@code S~ = A
 * C^-1 (C g + z)} back to {@code C g + z}, where the noise is white and one participation stands out most.
 *
 * <p>Written from the specification, apart from the code that makes the noise, so that one checks the other.
 */
public interface NoiseMatrix {
  /**
   * The matrix of a plan: that of its mechanism, once in each generation.
   *
   * @throws IllegalArgumentException for a mechanism whose law is not known here
   */
  static NoiseMatrix of(Plan plan) {
    NoiseMatrix matrix = of(plan.mechanism());
    return plan.generations().kind() == Generations.Kind.NONE
        ? matrix
        : new RestartedMatrix(matrix, plan.generations());
  }

  private static NoiseMatrix of(Mechanism mechanism) {
    return switch (mechanism.name()) {
      case "binary-tree" -> new TreeMatrix();
      case "binary-tree-honaker" -> new HonakerMatrix();
      case "laplace" -> new ToeplitzMatrix(Memory.NONE);
      default ->
        mechanism
            .memory()
            .<NoiseMatrix>map(ToeplitzMatrix::new)
            .orElseThrow(() -> new IllegalArgumentException("the audit must know how the noise is"
                + " put together, but does not know the mechanism " + mechanism.name()));
    };
  }

  /** White noise out of noisy prefix sums. */
  interface Whitener {
    /**
     * Writes row t of C g + z, without taking the prefix for granted yet.
     *
     * @param prefix the noisy prefix sum after round t
     */
    void white(double[] prefix, double[] into);

    /** Goes on to the next round from the prefix that was committed. */
    void advance(double[] prefix);
  }

  /** Noise of prefix sums out of white noise: what a learner does. */
  interface Colourer {
    /** Writes N_t, without taking this round's white noise for granted yet. */
    void colour(double[] white, double[] into);

    /** Goes on to the next round. */
    void advance(double[] white);
  }

  /** A whitener before the first round. */
  Whitener whitener(int dimension);

  /** A colourer before the first round. */
  Colourer colourer(int dimension);

  /**
   * One participation pattern as C u.
   *
   * @param rounds the rounds of the participations, from 1, ascending
   * @param horizon the number of rows
   * @return rows 1 to {@code horizon}, from index 0
   */
  default double[] moved(long[] rounds, int horizon) {
    double[] rows = new double[horizon];
    double[] prefix = new double[1];
    double[] row = new double[1];
    Whitener whitener = whitener(1);
    int next = 0;
    for (int t = 1; t <= horizon; t++) {
      if (isRestart(t)) {
        prefix[0] = 0;
      }
      if (next < rounds.length && rounds[next] == t) {
        prefix[0]++;
        next++;
      }
      whitener.white(prefix, row);
      whitener.advance(prefix);
      rows[t - 1] = row[0];
    }
    return rows;
  }

  /** Whether sums begin anew in a round. */
  default boolean isRestart(long round) {
    return false;
  }

  /** B = A C^-1: row t says how white noise adds up in N_t. */
  default double[][] prefixRows(int horizon) {
    double[][] rows = new double[horizon][horizon];
    for (int s = 0; s < horizon; s++) {
      Colourer colourer = colourer(1);
      double[] noise = new double[1];
      for (int t = 0; t < horizon; t++) {
        double[] white = {t == s ? 1 : 0};
        colourer.colour(white, noise);
        colourer.advance(white);
        rows[t][s] = noise[0];
      }
    }
    return rows;
  }
}
