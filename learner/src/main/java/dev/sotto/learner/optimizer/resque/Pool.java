package dev.sotto.learner.optimizer.resque;

/** Gradients that were taken at perturbations of one centre, to be weighted for any point near it. */
public interface Pool {
  /**
   * Adds a multiple of {@code w G}: an unbiased stochastic gradient of the convolved loss at the
   * centre plus an offset.
   *
   * @param entry from 0
   * @param offset u; at most rho long
   * @param factor of what is added
   * @param into changed
   */
  void add(int entry, double[] offset, double factor, double[] into);
}
