package dev.sotto.learner.optimizer.resque.calls;

import dev.sotto.learner.loss.SplitMix64;

/**
 * The levels of Algorithm 6, a stochastic proximal point of small bias:
 * {@code x_0 + 2^J (fine - coarse)} with {@code Pr[J = j] = 2^-j}, j from 1. A loop of level J
 * makes a call of T entries, one of {@code 2^J T} and one of {@code 2^(J-1) T}.
 *
 * @param most the largest level that is used; a loop of a higher one is x_0 alone
 */
record CallLevels(int most) {
  private static final int MOST_DRAWS = 1000;

  /** Entries of a loop, in those of its smallest call: the mean over the level. */
  double expectedCost() {
    return 1 + 1.5 * most;
  }

  private double cost(int level) {
    return level <= most ? 1 + 1.5 * (1L << level) : 1;
  }

  /**
   * Draws the levels of all loops of a whole run, before data is seen, until they cost no more than
   * a cap.
   *
   * @param seed public
   * @param loops of the run
   * @param cap on the sum of their costs
   * @throws IllegalArgumentException if a thousand draws cost more
   */
  int[] draw(long seed, int loops, double cap) {
    SplitMix64 random = new SplitMix64(SplitMix64.mix(seed));
    int[] levels = new int[loops];
    for (int attempt = 0; attempt < MOST_DRAWS; attempt++) {
      double sum = 0;
      for (int i = 0; i < loops; i++) {
        levels[i] = 1 + Long.numberOfTrailingZeros(random.nextLong());
        sum += cost(levels[i]);
      }
      if (sum <= cap) {
        return levels;
      }
    }
    throw new IllegalArgumentException("a cap of " + cap + " is too low for " + loops
        + " loops, whose expected cost is " + loops * expectedCost());
  }
}
