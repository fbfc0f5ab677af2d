package dev.sotto.learner.optimizer.resque.theory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether one call of a private solver (Algorithms 3 to 5) is where the theorems of the paper hold,
 * with the constants that its proofs give. Replaced contents are neighbours.
 *
 * @param slots n, at least 2
 * @param queries T
 * @param beta of the call, as {@link RestartSchedule} takes it: its first call has a larger one
 * @param order alpha of the Renyi divergence, above 1
 * @param delta of the call, between 0 and 1
 * @param ratio rho / r
 */
public record TheoremRegime(
    long slots, long queries, double beta, double order, double delta, double ratio) {
  private static final double MOST_SHARE = 1.0 / 60;
  private static final double MOST_HIT = 1.0 / 40;
  private static final double MOST_COST = 1.0 / 3;

  public TheoremRegime {
    if (slots < 2 || !(beta > 0 && order > 1 && delta > 0 && delta < 1 && ratio > 0)) {
      throw new IllegalArgumentException("slots must be at least 2, beta and ratio positive, the"
          + " order above 1 and delta between 0 and 1, but were " + slots + ", " + beta + ", "
          + ratio + ", " + order + " and " + delta);
    }
  }

  /** The least rho / r of Lemma 5: 1728 log^2(log T / delta). */
  public static double printedRatio(long queries, double delta) {
    double log = StrictMath.log(StrictMath.log(Math.max(3, queries)) / delta);
    return 1728 * log * log;
  }

  /** tau_0 / beta^2 of Lemma 5 and Lemma 7: 6000 log^2(2 / delta). */
  public static double printedCost(double delta) {
    double log = StrictMath.log(2 / delta);
    return 6000 * log * log;
  }

  /**
   * tau_0 / beta^2 of {@link Stability}: c^2 b^2 / 2.
   *
   * @param constant c
   * @param hits b
   */
  public static double sharpenedCost(double constant, double hits) {
    return constant * constant * hits * hits / 2;
  }

  /** Why the printed theorem says nothing about this call; empty where it does. */
  public List<String> printedReasons() {
    return reasons(printedCost(delta), printedRatio(queries, delta / 2));
  }

  /**
   * Why the sharpened one says nothing.
   *
   * @param constant c, computed for a rho / r of this or less
   */
  public List<String> sharpenedReasons(double constant) {
    long hits = queries < 2
        ? 1
        : new Multiplicity(slots, Math.max(1, Long.highestOneBit(queries) - 1)).quantile(delta);
    return reasons(sharpenedCost(constant, Math.max(1, hits)), 1);
  }

  private List<String> reasons(double cost, double leastRatio) {
    List<String> reasons = new ArrayList<>();
    if (queries < 2) {
      reasons.add("T is " + queries + ", but a call makes no step with less than 2 queries.");
      return reasons;
    }
    double share = (double) queries / slots;
    if (!(share <= MOST_SHARE)) {
      reasons.add(text(
          "T / n is %d / %d = %.4g, but must be at most 1/60: n must be at least %d.",
          queries, slots, share, 60 * queries));
    }
    double hit = new Multiplicity(slots, Math.max(1, Long.highestOneBit(queries) - 1)).hit();
    if (!(hit < MOST_HIT)) {
      reasons.add(text(
          "A slot is drawn with probability %.4g, but amplification needs less than 1/40.", hit));
    }
    double grown = RestartSchedule.largestBetaRatio(queries);
    double first = beta * grown;
    double tau = cost * first * first;
    if (!(tau <= MOST_COST)) {
      reasons.add(text(
          "tau_0 is %.4g * (%.4g * %.4g)^2 = %.4g in the first restart, but must be at most 1/3:"
              + " beta must be at most %.4g.",
          cost, grown, beta, tau, Math.sqrt(MOST_COST / cost) / grown));
    }
    // The smaller of the printed range and of that of the published theorem.
    double range = Math.min(3 / tau, -StrictMath.log(hit) / (4 * tau));
    if (!(order < range)) {
      reasons.add(text(
          "The order is %.4g, but must be less than min(3, log(1 / %.4g) / 4) / %.4g = %.4g.",
          order, hit, tau, range));
    }
    if (!(ratio >= leastRatio)) {
      reasons.add(text("rho / r is %.4g, but must be at least %.4g.", ratio, leastRatio));
    }
    return reasons;
  }

  private static String text(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }
}
