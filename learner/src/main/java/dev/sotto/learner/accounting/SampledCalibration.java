package dev.sotto.learner.accounting;

import dev.sotto.learner.mechanism.SampledSums;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Searches the smallest noise of sums of secretly sampled slots. The accountant takes some 200 ms
 * to answer, so the next sigma is where the last two point to. What is found fits; either its
 * epsilon is at most a relative 2^-11 below the target, or it is at most that much above a sigma
 * that does not fit.
 */
final class SampledCalibration {
  private static final double CLOSE = 0x1p-11;
  private static final int MOST_TRIALS = 60;

  private final double target;
  private final DoubleUnaryOperator epsilonOf;
  private final Fits fits;
  private double slope = -1.25;

  /** Whether a sigma fits, whose epsilon is known. */
  interface Fits {
    boolean test(double sigma, double epsilon);
  }

  /**
   * A search.
   *
   * @param target epsilon
   * @param epsilonOf a sigma; falls with it
   * @param fits whether a sigma does
   */
  SampledCalibration(double target, DoubleUnaryOperator epsilonOf, Fits fits) {
    this.target = target;
    this.epsilonOf = epsilonOf;
    this.fits = fits;
  }

  /**
   * The noise.
   *
   * @param allowed a sigma that fits
   * @param guess of the smallest one
   */
  double sigma(double allowed, double guess) {
    double low = 0;
    double high = allowed;
    double at = guess < high ? guess : high / 2;
    double lastAt = Double.NaN;
    double lastEpsilon = Double.NaN;
    for (int i = 0; i < MOST_TRIALS && !(high <= low * (1 + CLOSE)); i++) {
      double epsilon = epsilonOf.applyAsDouble(at);
      if (fits.test(at, epsilon)) {
        high = at;
        if (epsilon >= target * (1 - CLOSE)) {
          break;
        }
      } else {
        low = at;
      }
      double seen = StrictMath.log(epsilon / lastEpsilon) / StrictMath.log(at / lastAt);
      slope = seen > -20 && seen < -0.2 ? seen : slope;
      lastAt = at;
      lastEpsilon = epsilon;
      at *= StrictMath.exp(StrictMath.log(target * (1 - CLOSE / 2) / epsilon) / slope);
      if (!(at > low && at < high)) {
        at = low > 0 ? Math.sqrt(low * high) : high / 2;
      }
    }
    return high;
  }

  /** The slope of ln epsilon over ln sigma that another search ended with. */
  SampledCalibration like(SampledCalibration other) {
    slope = other.slope;
    return this;
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
