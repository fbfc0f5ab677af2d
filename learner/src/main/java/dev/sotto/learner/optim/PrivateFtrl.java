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
  private static final double[] NO_ANCHOR = {};

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
  public Course start(int dimension) {
    double[] weights = new double[dimension];
    potential.argmin(weights, steps.eta(1), weights);
    return new Path(weights, NO_ANCHOR);
  }

  @Override
  public Course resume(int dimension, double[] iterates, NoisySum latest) {
    if (iterates.length != 0 && iterates.length != dimension) {
      throw new IllegalArgumentException(
          "private-ftrl keeps the weights at which a generation began, none or " + dimension
              + ", but there were " + iterates.length);
    }
    if (latest == null) {
      return new Path(iterates.clone(), iterates.clone());
    }
    Path path = new Path(new double[dimension], iterates.clone());
    path.tell(latest);
    return path;
  }

  private final class Path implements Course {
    private final double[] weights;
    private double[] anchor; // the weights at which the generation began; empty in the first

    Path(double[] weights, double[] anchor) {
      this.weights = weights;
      this.anchor = anchor;
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public double[] point() {
      return weights;
    }

    /** Around an anchor a, Psi(w) - Psi(a) - <Psi'(a), w - a> takes the place of Psi: a warm start. */
    @Override
    public void tell(NoisySum answer) {
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

    @Override
    public void restart() {
      anchor = weights.clone();
    }

    @Override
    public double[] iterates() {
      return anchor.clone();
    }
  }
}
