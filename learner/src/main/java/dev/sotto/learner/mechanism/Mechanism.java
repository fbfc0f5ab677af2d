package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.List;
import java.util.Optional;

/**
 * How noise is added to prefix sums (docs/privacy.md, "Noise mechanisms"): a lower-triangular
 * matrix C, whose columns say how strongly one round's sum enters each row. Everything that depends
 * on the mechanism is a method here.
 *
 * <p>Sensitivities and variances are for noise of standard deviation 1 and one participation. Only
 * this package has mechanisms: a guarantee rests on what they say of themselves.
 */
public abstract class Mechanism {
  Mechanism() {}

  /** The name in configurations and ledgers. */
  public abstract String name();

  /**
   * The parameters in one canonical line, empty where there are none: part of fingerprints and
   * ledger entries.
   */
  public String parameters() {
    return "";
  }

  /**
   * The name of the parameter set that {@link Mechanisms#sets} lists, empty where these parameters
   * have none.
   */
  public String set() {
    return "";
  }

  /** The largest l2 norm of a column of C after a number of rounds (at least 1). */
  public abstract double sensitivity(long rounds);

  /**
   * The limit of {@link #sensitivity(long)} for an endless stream; infinite where there is none.
   */
  public abstract double sensitivityLimit();

  /**
   * The largest l2 norm of C u over the schedules u that a bound admits, after a number of rounds;
   * never less than the truth (docs/privacy.md, "Contribution bounds").
   */
  public abstract double sensitivity(long rounds, ContributionBound bound);

  /**
   * The limit of {@link #sensitivity(long, ContributionBound)} for an endless stream; infinite
   * where there is none.
   */
  public abstract double sensitivityLimit(ContributionBound bound);

  /**
   * How one participation enters later rows, for the budget per unit; empty where that rule does
   * not apply.
   */
  public Optional<ColumnDecay> memory() {
    return Optional.empty();
  }

  /**
   * Whether the guarantee is a pure epsilon, {@code s / sigma} per participation, rather than a mu.
   * Sensitivities then count participations, s is an l1 bound, and sigma is the scale of Laplace
   * noise.
   */
  public boolean isPure() {
    return false;
  }

  /**
   * What one participation enters by secret coins; empty where it enters sums for certain. The
   * guarantee is then the composition of all of these, by the distribution of the privacy loss, and
   * sensitivities say what it would be without sampling.
   */
  public List<SampledSums> sampledSums() {
    return List.of();
  }

  /**
   * The largest probability with which one participation moves what is released by more than its
   * noise counts with; 0 where it never does. It is charged to delta.
   */
  public double failure() {
    return 0;
  }

  /** The norm in which the gradients of one round are clipped, and s is counted. */
  public final GradientNorm norm() {
    return isPure() ? GradientNorm.L1 : GradientNorm.L2;
  }

  /** The variance of one coordinate of the noise of a prefix sum. */
  public abstract double prefixVariance(long rounds);

  /** The largest {@link #prefixVariance} after 1 to so many rounds; 0 before the first. */
  public double largestPrefixVariance(long rounds) {
    return rounds == 0 ? 0 : prefixVariance(rounds);
  }

  /**
   * The largest variance of a prefix where every set bit of a number of rounds adds one of its own:
   * that of the number itself, or of one with a bit cleared and all below it set.
   */
  final double largestOfBits(long rounds) {
    double largest = rounds == 0 ? 0 : prefixVariance(rounds);
    for (long left = rounds; left != 0; left -= Long.lowestOneBit(left)) {
      long filled = left - 1; // the bit cleared, the bits below it set
      largest = filled == 0 ? largest : Math.max(largest, prefixVariance(filled));
    }
    return largest;
  }

  /** The long-run mean square of the change of that noise from one round to the next. */
  public abstract double incrementVariance();

  /**
   * C itself, row by row from its definition and apart from the closed forms above: audits and
   * tests check them against it. The matrix of more rounds begins with that of fewer.
   *
   * @return row t, from index 0, with its t entries up to the diagonal
   * @throws IllegalArgumentException where there is no noise
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
