package dev.sotto.learner.accounting;

import dev.sotto.learner.mechanism.SampledSums;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The least noise of sums of secretly sampled slots, by what the accountant says: each question
 * takes it some 200 ms, so the next one is asked where the last two point to. What is returned is
 * allowed; either its epsilon is at most a relative 2^-11 below the budget's, or it is at most that
 * much above a sigma that is refused.
 */
final class SampledCalibration {
  private static final double CLOSE = 0x1p-11;
  private static final int MOST_QUESTIONS = 60;

  private final Budget budget;
  private final DoubleFunction<PrivacyAccountant> accountOf;
  private final long rounds;

  /**
   * A search.
   *
   * @param accountOf a sigma
   * @param rounds that shall fit the budget
   */
  SampledCalibration(Budget budget, DoubleFunction<PrivacyAccountant> accountOf, long rounds) {
    this.budget = budget;
    this.accountOf = accountOf;
    this.rounds = rounds;
  }

  /**
   * The noise.
   *
   * @param allowed a sigma that fits
   * @param guess of the least one
   */
  double sigma(double allowed, double guess) {
    double low = 0;
    double high = allowed;
    double at = guess < high ? guess : high / 2;
    double slope = -1.25; // of ln epsilon over ln sigma
    double lastAt = Double.NaN;
    double lastEpsilon = Double.NaN;
    for (int i = 0; i < MOST_QUESTIONS && !(high <= low * (1 + CLOSE)); i++) {
      PrivacyAccountant account = accountOf.apply(at);
      double epsilon = account.epsilon(rounds);
      boolean fits = account.allows(budget, rounds);
      if (fits) {
        high = at;
        if (epsilon >= budget.epsilon() * (1 - CLOSE)) {
          break;
        }
      } else {
        low = at;
      }
      double seen = Math.log(epsilon / lastEpsilon) / Math.log(at / lastAt);
      slope = seen > -20 && seen < -0.2 ? seen : slope;
      lastAt = at;
      lastEpsilon = epsilon;
      double aim = budget.epsilon() * (1 - CLOSE / 4);
      at *= Math.exp(Math.log(aim / epsilon) / slope);
      if (!(at > low && at < high)) {
        at = low > 0 ? Math.sqrt(low * high) : high / 2;
      }
    }
    return high;
  }

  /**
   * Where the central limit of the losses has the epsilon that is left: mu^2 is the sum of rate^2
   * (e^(1 / multiplier^2) - 1) (Bu, Dong, Long and Su 2020, "Deep Learning with Gaussian
   * Differential Privacy").
   *
   * @param sums of one participation
   * @return NaN where nothing is left
   */
  static double guess(
      Budget budget,
      Adjacency adjacency,
      double clip,
      List<SampledSums> sums,
      long participations) {
    boolean zeroing = adjacency == Adjacency.ZERO_OUT;
    double epsilon = zeroing ? budget.epsilon() : budget.epsilon() / 2;
    double delta = zeroing ? budget.delta() : budget.delta() / (1 + StrictMath.exp(epsilon));
    double mu = GaussianDp.mu(epsilon, delta);
    double left = mu * mu - budget.spentMu() * budget.spentMu();
    double low = 0;
    double high = clip;
    while (!(square(high / clip, sums, participations) <= left)) {
      low = high;
      high *= 2;
      if (high == Double.POSITIVE_INFINITY) {
        return Double.NaN;
      }
    }
    for (int i = 0; i < 40; i++) {
      double middle = low + (high - low) / 2;
      if (square(middle / clip, sums, participations) <= left) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private static double square(double ratio, List<SampledSums> sums, long participations) {
    double square = 0;
    for (SampledSums each : sums) {
      double multiplier = ratio * each.noise();
      square +=
          each.sums() * each.rate() * each.rate() * StrictMath.expm1(1 / (multiplier * multiplier));
    }
    return square * participations;
  }
}
