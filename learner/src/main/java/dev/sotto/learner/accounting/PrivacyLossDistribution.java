package dev.sotto.learner.accounting;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.learner.accounting.PrivacyLossGrid.Side;

/**
 * The distribution of the privacy loss of any composition of {@link DominatingPair}s, on a grid
 * (Sommer, Meiser and Mohammadi 2019; Koskela, Jalko and Honkela 2020). Adaptive composition adds
 * independent losses.
 *
 * <p>Promises: the same bits everywhere; a distribution {@link #of} a pair errs upwards only, in
 * discretisation, tails and rounding, one {@link #below} a pair downwards only. No Fourier
 * transform: convolutions are sums of positive terms.
 *
 * <p>Closeness: of Gaussians, up to a million, epsilon at delta from 1e-2 to 1e-12 is at most a
 * relative 3e-4 above the exact one. A rarely sampled Gaussian (rate / sigma below 1e-3), whose
 * rare large losses need a wide grid, is seen more coarsely.
 */
public final class PrivacyLossDistribution {
  private static final int FINER = 32;

  private final PrivacyLossGrid removal;
  private final PrivacyLossGrid addition;

  private PrivacyLossDistribution(PrivacyLossGrid removal, PrivacyLossGrid addition) {
    this.removal = removal;
    this.addition = addition;
  }

  /** Bounds from above one mechanism that the pair dominates. */
  public static PrivacyLossDistribution of(DominatingPair pair) {
    return on(pair, Side.ABOVE);
  }

  /**
   * Bounds the pair itself from below: how far the bound from above may be off. Never a guarantee.
   */
  public static PrivacyLossDistribution below(DominatingPair pair) {
    return on(pair, Side.BELOW);
  }

  private static PrivacyLossDistribution on(DominatingPair pair, Side side) {
    if (pair.isNothing()) {
      PrivacyLossGrid nothing = PrivacyLossGrid.nothing(side);
      return new PrivacyLossDistribution(nothing, nothing);
    }
    if (!(pair instanceof SampledGaussian sampled)) {
      PrivacyLossGrid both = grid(PrivacyLossFunction.removal(pair), side);
      return new PrivacyLossDistribution(both, both);
    }
    if (sampled.rate() == 1) {
      return on(new Gaussian(1 / sampled.noiseMultiplier()), side);
    }
    return new PrivacyLossDistribution(
        grid(PrivacyLossFunction.removal(sampled), side),
        grid(PrivacyLossFunction.addition(sampled), side));
  }

  private static PrivacyLossGrid grid(PrivacyLossFunction law, Side side) {
    int points = side == Side.ABOVE ? PrivacyLossGrid.POINTS : FINER * PrivacyLossGrid.POINTS;
    return PrivacyLossBins.of(law, side, points).fitted();
  }

  /**
   * The same on fewer points, here and in all that follows from it: quicker, and further off.
   *
   * @param points at most, at least 16
   */
  PrivacyLossDistribution within(int points) {
    PrivacyLossGrid removals = removal.within(points);
    return new PrivacyLossDistribution(
        removals, removal == addition ? removals : addition.within(points));
  }

  /**
   * Both on the same units, the second chosen with the outputs of the first in view; both must be
   * bounds from above, or both from below.
   */
  public PrivacyLossDistribution plus(PrivacyLossDistribution other) {
    PrivacyLossGrid removals = removal.plus(other.removal);
    boolean mirrored = removal == addition && other.removal == other.addition;
    PrivacyLossGrid additions = mirrored ? removals : addition.plus(other.addition);
    return new PrivacyLossDistribution(removals, additions);
  }

  /**
   * As many runs, each chosen with the outputs of those before in view.
   *
   * @param runs at least 0
   */
  public PrivacyLossDistribution times(long runs) {
    if (runs < 0) {
      throw new IllegalArgumentException("runs must be at least 0, but was " + runs);
    }
    if (runs == 0) {
      PrivacyLossGrid nothing = PrivacyLossGrid.nothing(removal.side());
      return new PrivacyLossDistribution(nothing, nothing);
    }
    if (runs == 1) {
      return this;
    }
    PrivacyLossDistribution half = times(runs / 2);
    PrivacyLossDistribution even = half.plus(half);
    return runs % 2 == 0 ? even : even.plus(this);
  }

  /**
   * The delta at epsilon, both orders considered.
   *
   * @param epsilon at least 0, or infinite
   */
  public double delta(double epsilon) {
    if (!(epsilon >= 0)) {
      throw new IllegalArgumentException("epsilon must be at least 0, but was " + epsilon);
    }
    double removed = removal.delta(epsilon);
    return removal == addition ? removed : Math.max(removed, addition.delta(epsilon));
  }

  /**
   * The epsilon at delta: from above, the smallest that {@link #delta} allows; from below, the
   * largest that it does not. Infinite where delta is less than the probability given up for tails,
   * some 1e-30 for each run.
   *
   * @param delta at least 0 and below 1
   */
  public double epsilon(double delta) {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be at least 0 and below 1, but was " + delta);
    }
    if (delta(0) <= delta) {
      return 0;
    }
    double low = 0;
    double high = Math.max(removal.top(), addition.top());
    if (delta(high) > delta) {
      return Double.POSITIVE_INFINITY;
    }
    for (double middle = high / 2; middle > low && middle < high; ) {
      if (delta(middle) <= delta) {
        high = middle;
      } else {
        low = middle;
      }
      middle = low + (high - low) / 2;
      if (high - low <= 0x1p-46 * high) {
        break;
      }
    }
    return removal.side() == Side.ABOVE ? high : low;
  }

  /**
   * The epsilon at delta of replacing a contribution, where these are the losses of zeroing one: it
   * becomes none, and then another. Zeroing at (e, d), in both orders, means replacing at (2 e, (1
   * + e^e) d); the result is twice an e with (1 + e^e) {@link #delta}(e) at most delta. Infinite
   * where none is found.
   *
   * @param delta at least 0 and below 1
   */
  public double replacingEpsilon(double delta) {
    if (removal.side() != Side.ABOVE) {
      throw new IllegalStateException("only a bound from above is a guarantee");
    }
    double low = epsilon(delta);
    if (low == Double.POSITIVE_INFINITY || replaces(low, delta)) {
      return 2 * low;
    }
    double top = Math.max(removal.top(), addition.top());
    double high = low;
    for (double step = top * 0x1p-20; !replaces(high, delta); step *= 2) {
      if (high > top) {
        return Double.POSITIVE_INFINITY;
      }
      low = high;
      high += step;
    }
    while (high - low > 0x1p-46 * high) {
      double middle = low + (high - low) / 2;
      if (replaces(middle, delta)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return 2 * high;
  }

  private boolean replaces(double epsilon, double delta) {
    return (1 + StrictMath.exp(epsilon)) * delta(epsilon) * (1 + 0x1p-46) <= delta;
  }
}
