package dev.sotto.learner.optimizer.resque.theory;

import dev.sotto.learner.loss.SplitMix64;

/**
 * The levels of Algorithm 6, a stochastic proximal point of small bias: {@code x_0 + 2^J (fine -
 * coarse)} with {@code Pr[J = j] = 2^-j}, j from 1. A loop of level J pays for a call of (beta, T),
 * one of {@code (2^(-J/2) beta, 2^J T)} and one of {@code (2^(-(J-1)/2) beta, 2^(J-1) T)}.
 *
 * @param queries T
 * @param most the largest level that is used; a loop of a higher one is x_0 alone
 */
public record MultilevelSchedule(long queries, int most) {
  /** C: entries of a call are at most n / C. */
  private static final long SLOTS_OF_ENTRY = 60;

  private static final int MOST_DRAWS = 1000;

  public MultilevelSchedule {
    if (queries < 1 || most < 1 || most > 50) {
      throw new IllegalArgumentException(
          "queries must be at least 1 and the level from 1 to 50, but" + " were " + queries
              + " and " + most);
    }
  }

  /**
   * The schedule of a block.
   *
   * @param slots n
   * @throws IllegalArgumentException if T is more than n / 120
   */
  public static MultilevelSchedule of(long slots, long queries) {
    if (queries < 1 || queries > slots / (2 * SLOTS_OF_ENTRY)) {
      throw new IllegalArgumentException("queries must be from 1 to n / 120 = "
          + slots / (2 * SLOTS_OF_ENTRY) + ", but were " + queries);
    }
    long quotient = slots / SLOTS_OF_ENTRY / queries;
    return new MultilevelSchedule(queries, 63 - Long.numberOfLeadingZeros(quotient));
  }

  /** Loops of a call. */
  public int loops() {
    return most;
  }

  /** Entries of a loop. */
  public double queriesOf(int level) {
    return level <= most ? queries * (1 + 1.5 * (1L << level)) : queries;
  }

  /** The mean of that over the level. */
  public double expectedQueries() {
    return queries * (1 + 1.5 * most);
  }

  /** Squared privacy cost of a loop, in units of that of a call of (beta, T). */
  public double costOf(int level) {
    return level <= most ? 1 + 1.5 * (1L << level) : 1;
  }

  /**
   * Draws the levels of all loops of a whole run, before data is seen, until they cost no more than
   * a cap.
   *
   * @param seed public
   * @param calls of the run, each of as many loops
   * @param cap on the sum of {@link #costOf}
   * @throws IllegalArgumentException if a thousand draws cost more
   */
  public int[] draw(long seed, int calls, double cap) {
    SplitMix64 random = new SplitMix64(SplitMix64.mix(seed));
    int[] levels = new int[Math.multiplyExact(calls, loops())];
    for (int attempt = 0; attempt < MOST_DRAWS; attempt++) {
      double cost = 0;
      for (int i = 0; i < levels.length; i++) {
        levels[i] = geometric(random.nextLong());
        cost += costOf(levels[i]);
      }
      if (cost <= cap) {
        return levels;
      }
    }
    throw new IllegalArgumentException("a cap of " + cap + " is too low for " + levels.length
        + " loops, whose expected cost is " + levels.length * (1 + 1.5 * most));
  }

  /** J: one more than the zeros before the first one of uniform bits. */
  static int geometric(long bits) {
    return 1 + Long.numberOfTrailingZeros(bits);
  }

  /**
   * Adds {@code 2^J (fine - coarse)} to x_0. The sum may lie outside the ball; to project it would
   * bias it.
   */
  public static void combine(int level, double[] fine, double[] coarse, double[] into) {
    double weight = StrictMath.scalb(1.0, level);
    for (int i = 0; i < into.length; i++) {
      into[i] += weight * (fine[i] - coarse[i]);
    }
  }
}
