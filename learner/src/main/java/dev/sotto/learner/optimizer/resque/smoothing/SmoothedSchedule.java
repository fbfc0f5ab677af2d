package dev.sotto.learner.optimizer.resque.smoothing;

import dev.sotto.learner.optimizer.resque.PoolSize;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of one pass over smoothed losses (the localisation of Theorem 4 without subproblems):
 * phase i steps once over n / 2^i fresh slots, and publishes the average of its points with noise.
 * A step is at most 2 over the smoothness, so that no step but that of the slot that differs makes
 * two runs part.
 *
 * @param rho of the convolution: the loss is raised by {@code L rho sqrt(2 / pi)} at most
 * @param radius R of the domain around the origin
 * @param phases in their order
 */
public record SmoothedSchedule(double rho, double radius, List<Phase> phases) {
  /** Phases of fewer slots move the weights by nearly nothing. */
  private static final long LEAST = 64;

  private static final double ROOT_TWO_BY_PI = 0.79788456080286536;

  /**
   * A phase.
   *
   * @param slots n_i
   * @param step eta_i
   * @param sensitivity how far the average moves, for each unit of mu the noise of a coordinate
   */
  public record Phase(long slots, double step, double sensitivity) {
    /** The standard deviation of a coordinate. */
    public double noise(double mu) {
      return sensitivity / mu;
    }
  }

  /**
   * The schedule of a block, with {@code rho = R / sqrt(n)}.
   *
   * @param size with a distance R and a clip that is the largest norm L of a gradient. Its noise is
   *     kappa / mu, kappa being 2 where contents are replaced, and 1 where they become null slots
   * @param kappa 1 or 2
   * @throws IllegalArgumentException if the smoothness does not allow the steps
   */
  public static SmoothedSchedule of(PoolSize size, int kappa) {
    if (kappa != 1 && kappa != 2) {
      throw new IllegalArgumentException("kappa must be 1 or 2, but was " + kappa);
    }
    double lipschitz = size.clip();
    double radius = size.distance();
    double rho = radius / Math.sqrt(size.slots());
    double eta = radius
        / lipschitz
        * Math.min(1 / Math.sqrt(size.slots()), 1 / (size.noise() * Math.sqrt(size.dimension())));
    double most = mostStep(lipschitz, rho);
    if (!(eta <= most)) {
      throw new IllegalArgumentException("a step of " + eta + " is more than " + most
          + ", 2 over the smoothness: two runs might part");
    }
    List<Phase> phases = new ArrayList<>();
    for (long slots = size.slots() / 2; slots >= LEAST; slots /= 2, eta /= 4) {
      // The error of the average moves two runs apart by twice its bound.
      PathRounding rounding = PathRounding.linear(size.dimension(), radius, eta, lipschitz);
      double apart = kappa * lipschitz * eta + 2 * rounding.ofAverage(slots);
      phases.add(new Phase(slots, eta, apart));
    }
    return new SmoothedSchedule(rho, radius, List.copyOf(phases));
  }

  /**
   * 2 over the smoothness {@code L sqrt(2 / pi) / rho}, less a little: widths are computed with an
   * error, and the bound must hold for those that are computed.
   */
  static double mostStep(double lipschitz, double rho) {
    return 2 * rho / (lipschitz * ROOT_TWO_BY_PI) * (1 - 1e-6);
  }
}
