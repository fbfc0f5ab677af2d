package dev.sotto.learner.optimizer.resque.calls;

import dev.sotto.learner.optimizer.resque.PoolSize;

/**
 * What the calls of a block follow from; all of it is public.
 *
 * @param block its slots at most, weights, clip L, distance R, and noise, kappa / mu
 * @param rounds N, outer rounds of a block, at least 1
 * @param rho of the perturbations
 * @param ratio rho / r
 * @param pull lambda r / L
 * @param failure for {@link dev.sotto.learner.mechanism.CallNoise}
 */
public record CallSize(
    PoolSize block, long rounds, double rho, double ratio, double pull, double failure) {
  /** r of a ball. */
  double radius() {
    return rho / ratio;
  }

  /** r / L. */
  double reach() {
    return radius() / block.clip();
  }
}
