package dev.sotto.learner.optim;

import dev.sotto.learner.release.NoisySum;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * Accelerated DP-SRGD: few rounds of large batches, and two gradients an example. Choquette-Choo, Ganesh, Thakurta,
 * "Near-Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large Batches", Algorithm 1. With the noisy
 * prefix of batch means S~ of the differences {@code eta_t grad f(x_t) - eta_{t-1} grad f(x_{t-1})}, eta_t = t:
 *
 * <pre>
 * z_{t+1} = Proj(z_t - S~ / beta)
 * y_{t+1} = Proj(x_t - S~ / (eta_t beta))                          published
 * x_{t+1} = (1 - tau) y_{t+1} + tau z_{t+1}, tau = 2 / (t + 2)
 * </pre>
 *
 * <p>Rounds t count from 1 here, from 0 in the paper. The guarantee is that of the noise mechanism (docs/privacy.md).
 *
 * @param set where the weights may lie
 * @param beta inverse step, positive and finite; at least the smoothness of the loss for the rate
 * @param accelerated whether there is a z; without it (section 4.3) x_{t+1} = y_{t+1}
 * @param gradients whether differences are asked for, or fresh gradients (section 5.5), of which each round's own
 *     noisy mean g~ is used: z takes eta_t g~, y takes g~
 */
public record AcceleratedDpSrgd(
    Projection set, double beta, boolean accelerated, Gradients gradients) implements Optimizer {
  /** What a round asks of each example. */
  public enum Gradients {
    /** The difference of two scaled gradients. */
    RECURSIVE,
    /** One gradient. */
    INDEPENDENT;

    /** The name in configurations. */
    public String configName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public AcceleratedDpSrgd {
    Objects.requireNonNull(set, "set");
    Objects.requireNonNull(gradients, "gradients");
    if (!(beta > 0) || beta == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("beta must be positive and finite, but was " + beta);
    }
  }

  @Override
  public boolean isRecursive() {
    return gradients == Gradients.RECURSIVE;
  }

  @Override
  public double scale(long t) {
    return isRecursive() ? t : 1;
  }

  @Override
  public Course start(int dimension) {
    double[] first = new double[dimension];
    set.project(first);
    return new Iterates(first);
  }

  @Override
  public Course resume(int dimension, double[] iterates, NoisySum latest) {
    int expected = accelerated ? 3 * dimension : dimension;
    if (iterates.length != expected) {
      throw new IllegalArgumentException("the algorithm keeps " + expected + " numbers for "
          + dimension + " weights, but there were " + iterates.length);
    }
    Iterates course = new Iterates(Arrays.copyOf(iterates, dimension));
    if (accelerated) {
      course.z = Arrays.copyOfRange(iterates, dimension, 2 * dimension);
      course.x = Arrays.copyOfRange(iterates, 2 * dimension, 3 * dimension);
    }
    return course;
  }

  private final class Iterates implements Course {
    private final double[] y;
    private final double[] mean;
    private double[] z;
    private double[] x;

    Iterates(double[] first) {
      y = first;
      mean = new double[first.length];
      restart();
    }

    @Override
    public double[] weights() {
      return y;
    }

    @Override
    public double[] point() {
      return x;
    }

    @Override
    public void tell(NoisySum answer) {
      double eta = answer.round();
      if (isRecursive()) {
        answer.mean(mean);
      } else {
        answer.lastMean(mean);
      }
      double intoY = isRecursive() ? eta * beta : beta;
      double[] from = x;
      for (int i = 0; i < y.length; i++) {
        y[i] = from[i] - mean[i] / intoY;
      }
      set.project(y);
      if (!accelerated) {
        return;
      }
      double intoZ = isRecursive() ? beta : beta / eta;
      for (int i = 0; i < z.length; i++) {
        z[i] -= mean[i] / intoZ;
      }
      set.project(z);
      double tau = 2 / (eta + 2);
      for (int i = 0; i < x.length; i++) {
        x[i] = (1 - tau) * y[i] + tau * z[i];
      }
    }

    @Override
    public void restart() {
      z = accelerated ? y.clone() : null;
      x = accelerated ? y.clone() : y;
    }

    @Override
    public double[] iterates() {
      if (!accelerated) {
        return y.clone();
      }
      double[] all = Arrays.copyOf(y, 3 * y.length);
      System.arraycopy(z, 0, all, y.length, z.length);
      System.arraycopy(x, 0, all, 2 * y.length, x.length);
      return all;
    }
  }
}
