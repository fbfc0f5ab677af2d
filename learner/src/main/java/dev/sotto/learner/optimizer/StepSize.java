package dev.sotto.learner.optimizer;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.Objects;

/**
 * The step eta_t of round t, by which the noisy prefix of batch means of the rounds before it is
 * multiplied (docs/private-ftrl.md, "Step sizes").
 */
public interface StepSize {
  /**
   * The step of a round.
   *
   * @param t the round, from 1
   */
  double eta(long t);

  /**
   * The standard deviation that the noise has in one coordinate of the prefix after a number of
   * rounds, where coordinates that are mostly noise are to be shrunk; 0 where none is.
   *
   * @param rounds at least 1
   */
  default double shrinkage(long rounds) {
    return 0;
  }

  /** What steps of other rounds would be, in a plan; empty where steps do not follow from noise. */
  default Section describe(PlanFigures plan) {
    return Section.untitled();
  }

  /** The kind of steps and their numbers, as canonical text. */
  String describe();

  /**
   * min(B c / s_t, B / (beta max(B + 1, 9))), with s_t the largest standard deviation of the noise
   * in one coordinate of a prefix of t - 1 rounds: as large as the noise allows, since a score then
   * carries noise of c at most, and stable, since the gradients of one round cannot overshoot. Of
   * the error that single examples correct, a ninth is taken at most (a 17th without noise, where
   * nothing else slows it down), or weights would follow the chance in the labels. Needs no tuning
   * and no horizon; without noise the rate is constant. A function of public numbers.
   *
   * @param mechanism of the noise
   * @param sigma of one round's sum; the scale under a pure mechanism
   * @param batch B, slots in a round
   * @param scale c and beta
   * @param shrinks whether coordinates that are mostly noise are shrunk
   * @param raises whether larger steps are taken where noisy sums show that they are stable; each
   *     gradient must then be taken at the weights that followed from the round before it
   */
  record NoiseAware(
      PrefixMechanism mechanism,
      double sigma,
      long batch,
      StepScale scale,
      boolean shrinks,
      boolean raises)
      implements StepSize {
    private static final long SLOWEST = 9;
    private static final long SLOWEST_WITHOUT_NOISE = 17;

    public NoiseAware {
      Objects.requireNonNull(mechanism, "mechanism");
      Objects.requireNonNull(scale, "scale");
      if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException("sigma must be at least 0 and finite, but was " + sigma);
      }
      if (batch < 1) {
        throw new IllegalArgumentException("batch must be at least 1, but was " + batch);
      }
    }

    @Override
    public Section describe(PlanFigures plan) {
      return StepTable.of(this, plan);
    }

    @Override
    public double eta(long t) {
      return eta(t, 1);
    }

    /** The step where the curvature is a number of times smaller than the worst; at least 1. */
    double eta(long t, double factor) {
      checkRound(t);
      double noise = sigma * Math.sqrt(mechanism.largestPrefixVariance(t - 1));
      long slowest = mechanism.prefixVariance(1) == 0 ? SLOWEST_WITHOUT_NOISE : SLOWEST;
      double stable = batch / (scale.curvature() * Math.max((batch + 1) / factor, slowest));
      return Math.min(batch * scale.noise() / noise, stable);
    }

    /** Whether a smaller curvature would give a larger step. */
    boolean isHeldByCurvature(long t) {
      return eta(t, StepRaise.HIGHEST) > eta(t, 1);
    }

    /** The factor of the steps of one model's way; null where it is 1 in all rounds. */
    StepRaise raise() {
      // The first factor above 1 can be that of round 3, and noise only grows.
      return raises && isHeldByCurvature(3) ? new StepRaise(this) : null;
    }

    /** The standard deviation of the noise in one coordinate of a prefix of means. */
    double deviation(long rounds) {
      return sigma * Math.sqrt(mechanism.prefixVariance(rounds)) / batch;
    }

    /**
     * About the standard deviation of a round's mean along one direction: its noise, and its slots.
     */
    double chance() {
      double noise = sigma * Math.sqrt(mechanism.incrementVariance()) / batch;
      double slots = scale.clip() / (2 * Math.sqrt(batch));
      return Math.sqrt(noise * noise + slots * slots);
    }

    @Override
    public double shrinkage(long rounds) {
      checkRound(rounds);
      return shrinks ? sigma * Math.sqrt(mechanism.prefixVariance(rounds)) / batch : 0;
    }

    @Override
    public String describe() {
      return "noise-aware noise=" + Double.toHexString(scale.noise()) + " curvature="
          + Double.toHexString(scale.curvature()) + " shrinks=" + shrinks
          + (raise() == null ? "" : " raise=" + StepRaise.HIGHEST);
    }
  }

  /**
   * scale / sqrt(t): needs no horizon (Theorem A.4). The scale is multiplier * D / Gbar: D is the
   * potential's {@link Potential#diameter}, Gbar^2 bounds the mean square of a noisy gradient.
   *
   * @param scale positive and finite
   */
  record Decreasing(double scale) implements StepSize {
    public Decreasing {
      checkScale(scale);
    }

    @Override
    public double eta(long t) {
      checkRound(t);
      return scale / Math.sqrt(t);
    }

    @Override
    public String describe() {
      return "decreasing scale=" + Double.toHexString(scale);
    }
  }

  /**
   * scale / sqrt(horizon) in every round (Theorem A.3), also in those past the horizon, of which
   * the theorem says nothing.
   *
   * @param scale positive and finite
   * @param horizon the number of rounds, at least 1
   */
  record Fixed(double scale, long horizon) implements StepSize {
    public Fixed {
      checkScale(scale);
      if (horizon < 1) {
        throw new IllegalArgumentException("horizon must be at least 1, but was " + horizon);
      }
    }

    @Override
    public double eta(long t) {
      checkRound(t);
      return scale / Math.sqrt(horizon);
    }

    @Override
    public String describe() {
      return "fixed horizon=" + horizon + " scale=" + Double.toHexString(scale);
    }
  }

  private static void checkScale(double scale) {
    if (!(scale > 0) || scale == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("scale must be positive and finite, but was " + scale);
    }
  }

  private static void checkRound(long t) {
    if (t < 1) {
      throw new IllegalArgumentException("round must be at least 1, but was " + t);
    }
  }
}
