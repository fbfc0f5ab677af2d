package dev.sotto.learner.loss;

/**
 * A smooth function of one number, applied to each hidden unit of a {@link Network}; the same bits
 * on every machine.
 */
public interface Activation {
  /** The value; finite or infinite where the input is finite. */
  double value(double input);

  /** The derivative. */
  double slope(double input);
}
