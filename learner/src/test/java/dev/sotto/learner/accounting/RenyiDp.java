package dev.sotto.learner.accounting;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.Laplace;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import java.util.function.DoubleUnaryOperator;

/**
 * A bound on the Renyi divergence of every order alpha above 1 (Mironov 2017). Adaptive composition
 * adds the curves; a conversion to (epsilon, delta) takes the best order.
 *
 * <p>Promises: the same bits everywhere; curves, epsilons and deltas err upwards only.
 */
public final class RenyiDp {
  /** Nothing released. */
  public static final RenyiDp NOTHING = new RenyiDp(order -> 0);

  private static final double SLACK = 0x1p-49;

  private final DoubleUnaryOperator curve;

  private RenyiDp(DoubleUnaryOperator curve) {
    this.curve = curve;
  }

  /** The curve of one mechanism that the pair dominates. */
  public static RenyiDp of(DominatingPair pair) {
    if (pair instanceof Gaussian gaussian) {
      return new RenyiDp(order -> RenyiDivergences.gaussian(gaussian.mu(), order));
    }
    if (pair instanceof Laplace laplace) {
      return new RenyiDp(order -> RenyiDivergences.laplace(laplace.epsilon(), order));
    }
    if (pair instanceof RandomizedResponse coin) {
      return new RenyiDp(order -> RenyiDivergences.randomizedResponse(coin.epsilon(), order));
    }
    SampledGaussian sampled = (SampledGaussian) pair;
    return new RenyiDp(order -> SampledGaussianRenyi.divergence(sampled, order));
  }

  /**
   * epsilon(alpha).
   *
   * @param order alpha, above 1, or infinite
   */
  public double at(double order) {
    if (!(order > 1)) {
      throw new IllegalArgumentException("order must be above 1, but was " + order);
    }
    return curve.applyAsDouble(order);
  }

  /** Both mechanisms on the same units, the second chosen with the outputs of the first in view. */
  public RenyiDp plus(RenyiDp other) {
    return new RenyiDp(order -> (at(order) + other.at(order)) * (1 + 0x1p-52));
  }

  /**
   * As many runs, each chosen with the outputs of those before in view.
   *
   * @param runs at least 0
   */
  public RenyiDp times(long runs) {
    if (runs < 0) {
      throw new IllegalArgumentException("runs must be at least 0, but was " + runs);
    }
    return runs == 0 ? NOTHING : new RenyiDp(order -> at(order) * runs * (1 + 0x1p-51));
  }

  /**
   * An epsilon implied at delta: the least over alpha of epsilon(alpha) + ln(1 - 1/alpha) - (ln
   * delta + ln alpha) / (alpha - 1) (Canonne, Kamath and Steinke 2020, Proposition 12), the best
   * for one order.
   *
   * @param delta at least 0 and below 1
   */
  public double epsilon(double delta) {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be at least 0 and below 1, but was " + delta);
    }
    double pure = at(Double.POSITIVE_INFINITY);
    if (delta == 0) {
      return pure;
    }
    double log = -StrictMath.log(delta);
    double best = RenyiOrders.minimum(order -> {
      double divergence = at(order);
      double gain = -StrictMath.log1p(-1 / order);
      double orders = StrictMath.log(order);
      double rounding = divergence + gain + (log + orders) / (order - 1);
      return divergence - gain + (log - orders) / (order - 1) + SLACK * rounding;
    });
    return Math.max(0, Math.min(pure, best));
  }

  /**
   * A delta implied at epsilon, by the same formula: the least over alpha of e^((alpha-1)
   * (epsilon(alpha) - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1); at most 1.
   *
   * @param epsilon at least 0, or infinite
   */
  public double delta(double epsilon) {
    if (!(epsilon >= 0)) {
      throw new IllegalArgumentException("epsilon must be at least 0, but was " + epsilon);
    }
    if (epsilon >= at(Double.POSITIVE_INFINITY)) {
      return 0;
    }
    double best = RenyiOrders.minimum(order -> {
      double divergence = at(order);
      double gain = -(order - 1) * StrictMath.log1p(-1 / order);
      double orders = StrictMath.log(order);
      double rounding = (order - 1) * (divergence + epsilon) + gain + orders;
      return (order - 1) * (divergence - epsilon) - gain - orders + SLACK * rounding;
    });
    return Math.min(1, StrictMath.exp(best) * (1 + SLACK));
  }
}
