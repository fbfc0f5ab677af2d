package dev.sotto.learner.accounting;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.learner.example.NormalTail;
import java.util.function.DoubleUnaryOperator;

/**
 * The privacy loss ln(P/Q) of a pair where the output follows P: a smooth rising function of a
 * number x with a smooth density, and an atom at either end.
 *
 * @param range where x lies
 * @param density of x, not counting the atoms
 * @param loss of x, rising
 * @param place the x of a loss
 * @param ends the atoms, and what is cut off
 */
record PrivacyLossFunction(
    Range range,
    DoubleUnaryOperator density,
    DoubleUnaryOperator loss,
    DoubleUnaryOperator place,
    Ends ends) {
  /**
   * Where x lies.
   *
   * @param from the smallest x
   * @param to the largest x
   * @param step width on which the density and the loss are all but polynomials of low degree
   */
  record Range(double from, double to, double step) {}

  /**
   * What lies at the ends.
   *
   * @param atFrom probability of the loss at {@code from}
   * @param atTo probability of the loss at {@code to}
   * @param cut the most that may lie beneath {@code from}, and the same above {@code to}
   */
  record Ends(double atFrom, double atTo, double cut) {}

  /**
   * Gaussian tails are cut off here, in standard deviations, and what is cut off is counted in
   * full.
   */
  private static final double REACH = 11.5;

  private static final double TAIL =
      StrictMath.exp(NormalTail.logDensity(REACH)) * NormalTail.mills(REACH);
  private static final double SMOOTH = 1.0 / 32;

  /**
   * The loss of an output of P, the distribution with the unit's data: what removal is judged by.
   */
  static PrivacyLossFunction removal(DominatingPair pair) {
    if (pair instanceof Gaussian gaussian) {
      return gaussian(gaussian.mu());
    }
    if (pair instanceof RandomizedResponse coin) {
      return coin(coin.epsilon());
    }
    SampledGaussian sampled = (SampledGaussian) pair;
    double sigma = sampled.noiseMultiplier();
    return new PrivacyLossFunction(
        new Range(-REACH * sigma, 1 + REACH * sigma, smooth(sigma)),
        x -> (1 - sampled.rate()) * density(x / sigma) / sigma
            + sampled.rate() * density((x - 1) / sigma) / sigma,
        sampled::loss,
        sampled::place,
        new Ends(0, 0, TAIL));
  }

  /** The loss ln(Q/P) of an output of Q: what addition is judged by. */
  static PrivacyLossFunction addition(SampledGaussian sampled) {
    double sigma = sampled.noiseMultiplier();
    return new PrivacyLossFunction(
        new Range(-REACH * sigma, REACH * sigma, smooth(sigma)),
        x -> density(x / sigma) / sigma,
        x -> -sampled.loss(-x),
        loss -> -sampled.place(-loss),
        new Ends(0, 0, TAIL));
  }

  private static double smooth(double sigma) {
    return Math.min(sigma * SMOOTH, sigma * sigma / 2);
  }

  private static PrivacyLossFunction gaussian(double mu) {
    return new PrivacyLossFunction(
        new Range(-REACH, REACH, Math.min(SMOOTH, 0.5 / mu)),
        PrivacyLossFunction::density,
        x -> mu * x + mu * mu / 2,
        loss -> loss / mu - mu / 2,
        new Ends(0, 0, TAIL));
  }

  private static PrivacyLossFunction coin(double epsilon) {
    double likely = 1 / (1 + StrictMath.exp(-epsilon));
    double unlikely = StrictMath.exp(-epsilon) / (1 + StrictMath.exp(-epsilon));
    return new PrivacyLossFunction(
        new Range(-epsilon, epsilon, 2 * epsilon),
        x -> 0,
        x -> x,
        loss -> loss,
        new Ends(unlikely, likely, 0));
  }

  private static double density(double x) {
    return StrictMath.exp(NormalTail.logDensity(x));
  }
}
