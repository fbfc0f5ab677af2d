package dev.sotto.learner.mechanism;

import java.util.Optional;

/**
 * How noise is added to prefix sums of rounds (docs/privacy.md, "Noise mechanisms"): a
 * lower-triangular matrix C, whose columns say how strongly one round's sum enters each row.
 * Variances are for noise of standard deviation 1.
 */
public abstract non-sealed class PrefixMechanism extends Mechanism {
  PrefixMechanism() {}

  @Override
  public final Optional<PrefixMechanism> ofPrefixes() {
    return Optional.of(this);
  }

  @Override
  public final Optional<QueryMechanism> ofQueries() {
    return Optional.empty();
  }

  @Override
  public final boolean composes() {
    return !isPure();
  }

  /** The variance of one coordinate of the noise of a prefix sum. */
  public abstract double prefixVariance(long rounds);

  /** The largest {@link #prefixVariance} after at most a number of rounds; 0 before the first. */
  public double largestPrefixVariance(long rounds) {
    return rounds == 0 ? 0 : prefixVariance(rounds);
  }

  /** The long-run mean square of the change of that noise from one round to the next. */
  public abstract double incrementVariance();

  /**
   * C itself, row by row from its definition and apart from the closed forms above: audits and
   * tests check them against it. The matrix of more rounds begins with that of fewer.
   *
   * @return row t, from index 0, with its t entries up to the diagonal
   */
  public abstract double[][] matrix(int rounds);

  /** The noise before the first round. */
  public abstract NoiseState start();

  /** The noise as {@link NoiseState#state(int)} stored it, in any pages. */
  public abstract NoiseState resume(PagedBytes state);

  /** {@link #resume(PagedBytes)} of one array. */
  public final NoiseState resume(byte[] state) {
    return resume(PagedBytes.of(state));
  }

  /** Measured on a few coordinates of its own noise. */
  @Override
  public final long stateBytes(long dimension, long rounds) {
    return NoiseStateSize.most(this, dimension, rounds);
  }

  @Override
  public final long redrawnBytes(long dimension, long rounds) {
    return stateBytes(dimension, rounds);
  }

  /** A sum, and the digits that a double has no room for. */
  @Override
  public final long sumBytes(long dimension) {
    return 2 * Double.BYTES * dimension;
  }

  @Override
  public final String noised() {
    return "a round's sum";
  }

  /** C where every round has noise of its own. */
  static double[][] identity(int rounds) {
    double[][] rows = new double[rounds][];
    for (int t = 0; t < rounds; t++) {
      rows[t] = new double[t + 1];
      rows[t][t] = 1;
    }
    return rows;
  }
}
