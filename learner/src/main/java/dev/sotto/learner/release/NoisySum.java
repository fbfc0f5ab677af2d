package dev.sotto.learner.release;

/**
 * The noisy prefix sum after one round: what an optimizer gets, and all it gets. Made only by
 * {@link Releaser}; everything computed from it is post-processing.
 */
public final class NoisySum {
  private final long round;
  private final double divisor;
  private final double unit;
  private final PrefixSum prefix;
  private final long[] last;

  NoisySum(long round, PrefixSum prefix, long[] last, Lattice lattice) {
    this.round = round;
    this.prefix = prefix;
    this.last = last;
    this.unit = lattice.unit();
    this.divisor = lattice.batch();
  }

  /** How many rounds are in the prefix, at least 1. */
  public long round() {
    return round;
  }

  /** The number of coordinates. */
  public int dimension() {
    return prefix.dimension();
  }

  /**
   * Writes the noisy prefix of batch means, {@code (G_t + N_t) / B}. The division comes after the
   * noise.
   */
  public void mean(double[] into) {
    prefix.toDoubles(into, unit, divisor);
  }

  /**
   * Writes the noisy batch mean of the last round alone: by how much {@link #mean} has grown.
   *
   * @throws IllegalStateException where the last round was released before a restart
   */
  public void lastMean(double[] into) {
    if (last == null) {
      throw new IllegalStateException("the last round's own sum is known at its release only");
    }
    for (int i = 0; i < last.length; i++) {
      into[i] = last[i] * unit / divisor;
    }
  }
}
