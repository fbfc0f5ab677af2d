package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.release.LatticeException.Input;

/**
 * The grids to which the averages of paths are rounded, one for each query: at most 2^-20 of its
 * noise, and no coarser than {@link OrderedNoise} counts with.
 */
final class PathLattice {
  private static final double FINEST_TO_NOISE = 0x1p-20;
  private static final double MOST_UNITS = 0x1p61; // of a coordinate, so that longs hold them

  private PathLattice() {}

  /**
   * Refuses noise or radii that a grid cannot hold.
   *
   * @throws LatticeException with the rule and the value
   */
  static void check(Lattice lattice, double sigma, OrderedNoise noise) {
    for (long query = 1; query <= noise.queries(); query++) {
      unit(lattice, sigma, noise, query);
    }
  }

  /**
   * The step of a query's grid, a power of two.
   *
   * @param sigma of one participation
   */
  static double unit(Lattice lattice, double sigma, OrderedNoise noise, long query) {
    double std = sigma * noise.noise(query);
    double finest = Math.min(std * FINEST_TO_NOISE, noise.coarsest(query, lattice.clip()));
    double unit = StrictMath.scalb(1.0, Math.getExponent(finest));
    if (!(std / unit <= lattice.norm().widestNoise())) {
      throw new LatticeException(
          Input.NOISE,
          "the noise of an average must be at most 2^"
              + Math.getExponent(lattice.norm().widestNoise()) + " lattice units, but was " + std
              + " = " + std / unit + " units of " + unit + "; it would drown any model");
    }
    double radius = noise.reach() * lattice.clip();
    if (!(radius <= MOST_UNITS * unit)) {
      throw new LatticeException(
          Input.NOISE,
          "the radius must be at most 2^61 lattice units, but was " + radius + " = " + radius / unit
              + " units of " + unit + "; choose fewer slots or more noise");
    }
    return unit;
  }
}
