package dev.sotto.learner.optim;

import dev.sotto.learner.release.NoisySum;
import java.util.Objects;

/**
 * Private follow-the-regularised-leader: {@code w_{t+1} = argmin_W <G~_t, w> + Psi(w) / eta_{t+1}} with the
 * noisy prefix of batch means {@code G~_t}. Arora, Marinov, Ullah, "Private Stochastic Convex Optimization:
 * Efficient Algorithms for Non-smooth Objectives", Algorithm 1; the guarantee is not the paper's but that
 * of the noise mechanism (docs/privacy.md).
 *
 * @param potential Psi and W
 * @param steps eta_t
 */
public record PrivateFtrl(Potential potential, StepSize steps) implements Optimizer {
  public PrivateFtrl {
    Objects.requireNonNull(potential, "potential");
    Objects.requireNonNull(steps, "steps");
  }

  /**
   * The scale {@code D / Gbar} of the step sizes (private-ftrl.md): Gbar^2 bounds the mean square of a round's
   * mean gradient together with the change of its noise.
   *
   * @param diameter D, positive and finite
   * @param clip l2 bound of one gradient, and so of a mean of them
   * @param dimension number of weights
   * @param incrementVariance of the mechanism, for noise of standard deviation 1
   * @param sigma standard deviation of the noise per coordinate of the sum
   * @param batch slots in a round
   */
  public static double stepScale(
      double diameter,
      double clip,
      int dimension,
      double incrementVariance,
      double sigma,
      long batch) {
    double noise = sigma / batch;
    double scale =
        diameter / Math.sqrt(clip * clip + dimension * incrementVariance * noise * noise);
    if (!(scale > 0) || scale == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "the scale of the steps must be positive and finite, but a diameter of " + diameter
              + " gives " + scale);
    }
    return scale;
  }

  @Override
  public void start(double[] weights) {
    potential.argmin(new double[weights.length], steps.eta(1), weights);
  }

  /** Around an anchor a, Psi(w) - Psi(a) - <Psi'(a), w - a> takes the place of Psi: a warm start. */
  @Override
  public void tell(NoisySum answer, double[] anchor, double[] weights) {
    double eta = steps.eta(answer.round() + 1);
    answer.mean(weights);
    if (anchor.length > 0) {
      double[] slope = new double[anchor.length];
      potential.gradient(anchor, slope);
      for (int i = 0; i < slope.length; i++) {
        weights[i] = Checks.saturated(weights[i] - slope[i] / eta);
      }
    }
    potential.argmin(weights, eta, weights);
  }
}
