package dev.sotto.learner.optimizer.heavytail;

/**
 * One phase of {@link LocalizedErm}: some passes over slots of its own.
 *
 * @param slots n_i
 * @param passes T_i
 * @param step the step size
 * @param regularization lambda_i
 * @param clip C_i
 * @param radius D_i: how far from the phase's start the weights may go
 */
public record Phase(
    long slots, long passes, double step, double regularization, double clip, double radius) {
  /** The standard deviation of the noise of one pass's mean: {@code 2 C sqrt(T) / (n mu)}. */
  double noise(double mu) {
    return 2 * clip * Math.sqrt(passes) / (slots * mu);
  }
}
