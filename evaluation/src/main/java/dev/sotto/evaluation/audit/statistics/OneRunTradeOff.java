package dev.sotto.evaluation.audit.statistics;

import java.util.function.DoublePredicate;

/**
 * A lower bound on mu from the number of right guesses about canaries, where the claim is mu-GDP.
 * Mahloujifar, Melis, Chaudhuri, "Auditing f-Differential Privacy in One Run" (2024), the theorem
 * for guesses with abstentions. It uses the whole trade-off between false alarms and misses, where
 * {@link OneRunBound} uses one point of it, and proves about twice as much.
 *
 * <p>Each of m canaries is in or out of the data by a fair coin. From what is released an auditor
 * guesses r of the coins and abstains from the others. Let p_i be the probability of exactly i
 * right guesses, and f the map of Gaussian worlds mu apart, f(x) = Phi(Phi^-1(x) - mu): what an
 * event of probability x in one world has at least in the other. For every i the right guesses
 * beyond i and the wrong ones are tied by f; so an assumption that v or more are right with
 * probability above {@code risk} makes the probabilities of fewer so large, step by step, that they
 * add up to more than all guesses. Then mu is refuted.
 */
public final class OneRunTradeOff {
  private static final double SLACK = 1 + 1e-9; // above the rounding of the sums
  private static final double LARGEST = 64;

  private OneRunTradeOff() {}

  /**
   * Whether this number of right guesses, or more, has a probability of at most {@code risk} under
   * mu-GDP.
   *
   * @param canaries m, at least the guesses
   * @param guesses r, decided before the coins are known
   * @param right v, at most r
   * @param mu at least 0
   */
  public static boolean refutes(int canaries, int guesses, int right, double mu, double risk) {
    if (!(0 <= right && right <= guesses && guesses <= canaries && canaries > 0)) {
      throw new IllegalArgumentException("right, guesses and canaries must ascend from 0, but were "
          + right + ", " + guesses + ", " + canaries);
    }
    if (!(mu >= 0) || !(risk > 0 && risk < 1)) {
      throw new IllegalArgumentException(
          "mu must be at least 0 and risk between 0 and 1, but were " + mu + " and " + risk);
    }
    double rights = risk * right / canaries; // the mass of right guesses in what is assumed
    double wrongs = risk * (guesses - right) / canaries;
    double all = SLACK * guesses / canaries; // both only grow
    for (int i = right - 1; i >= 0 && rights + wrongs <= all; i--) {
      double least = shifted(rights, mu);
      if (least <= wrongs) {
        break; // and so it stays
      }
      double more = i == 0 ? 0 : (double) i / (guesses - i) * (least - wrongs);
      rights = Math.min(1, rights + more);
      wrongs = least;
    }
    return rights + wrongs > all;
  }

  private static double shifted(double probability, double mu) {
    return TailProbability.normal(TailProbability.normalQuantile(probability) + mu);
  }

  /**
   * The smallest mu under which this number of right guesses is possible. The true mu is smaller
   * with probability at most {@code risk}. 0 where nothing is proved.
   */
  public static double muLower(int canaries, int guesses, int right, double risk) {
    return least(mu -> refutes(canaries, guesses, right, mu, risk));
  }

  /** The smallest mu that is not refuted, up to {@link #LARGEST}; 0 where 0 is not. */
  static double least(DoublePredicate refuted) {
    if (!refuted.test(0)) {
      return 0;
    }
    double low = 0;
    double high = 1;
    while (high < LARGEST && refuted.test(high)) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 40; i++) {
      double middle = (low + high) / 2;
      if (refuted.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
