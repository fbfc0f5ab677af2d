package dev.sotto.learner.optimizer.heavytail;

/**
 * What a schedule knows of a block.
 *
 * @param slots n, at least 1
 * @param dimension d, at least 1
 * @param mu positive: noise of standard deviation {@code 2 C / (s mu)} is added to a mean of s
 *     gradients cut to C. Where contents are replaced by any others this is the mu of one
 *     participation. Where they become null slots the noise is half as large at the same mu, and
 *     this is twice the mu of one participation. The paper calls it epsilon, which it is not.
 */
public record BlockSize(long slots, int dimension, double mu) {
  public BlockSize {
    if (slots < 1 || dimension < 1) {
      throw new IllegalArgumentException(
          "slots and dimension must be at least 1, but were " + slots + " and " + dimension);
    }
    if (!(mu > 0)) {
      throw new IllegalArgumentException("mu must be positive, but was " + mu);
    }
    // Beyond this the noise does not matter any more, and the formulas would overflow.
    mu = Math.min(mu, slots * Math.sqrt(dimension));
  }

  /** mu n / sqrt(d). */
  double signal() {
    return mu * slots / Math.sqrt(dimension);
  }

  /** The standard deviation of the noise of a mean of some gradients. */
  public double noise(double clip, long batch) {
    return 2 * clip / (batch * mu);
  }

  /** The same block with another number of slots. */
  BlockSize of(long other) {
    return new BlockSize(other, dimension, mu);
  }

  static double ceil(double value, double least, double most) {
    return Math.max(least, Math.min(most, Math.ceil(value)));
  }
}
