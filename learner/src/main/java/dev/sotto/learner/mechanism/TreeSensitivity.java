package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ContributionBound;
import java.lang.ref.SoftReference;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sensitivity of a binary tree under a bound of contributions, {@code max ||C u||} over the
 * schedules that it admits (docs/privacy.md, "Contribution bounds").
 *
 * <p>With n = min(k, participations that fit) and b' the largest odd divisor of b, the figure is
 * <b>exact</b> where n is at most 4096, b' at most 512 and b' times n (as a power of two, rounded
 * up) at most 2^15, as well as for an unbounded k with b = 1. Elsewhere it is an <b>upper
 * bound</b>, the smaller of two:
 *
 * <ul>
 *   <li>the exact figure of a smaller separation, b without its last binary digits, which admits
 *       more schedules;
 *   <li>{@link #boundByLevels}, alone where n is above 4096.
 * </ul>
 *
 * <p>Never falls as rounds are added. Exact numbers for many rounds take up to seconds once, and
 * little at each round from there on.
 */
final class TreeSensitivity {
  private static final int MOST_PARTICIPATIONS = 1 << 12;
  private static final long MOST_STATES = 1 << 15;
  private static final int MOST_CELLS_APART = 1 << 9;
  private static final int RECENT = 16; // more than one bound needs: a power of two each up to 4096

  private static final Map<Key, SoftReference<TreeSchedules>> SCHEDULES =
      new LinkedHashMap<>(8, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, SoftReference<TreeSchedules>> eldest) {
          return size() > RECENT;
        }
      };

  private record Key(long separation, int most) {}

  private TreeSensitivity() {}

  /**
   * The sensitivity after a number of rounds.
   *
   * @param rounds at least 1
   */
  static double of(long rounds, ContributionBound bound) {
    BigInteger squares = boundByLevels(rounds, bound);
    long participations = bound.within(rounds);
    boolean full = participations == rounds; // every node is, which no schedule beats
    if (!full && participations <= MOST_PARTICIPATIONS) {
      squares = squares.min(BigInteger.valueOf(bySchedules(rounds, bound)));
    }
    return Math.sqrt(squares.doubleValue());
  }

  private static long bySchedules(long rounds, ContributionBound bound) {
    long participations = bound.within(rounds);
    int most = participations == 1 ? 1 : 2 * (int) Long.highestOneBit(participations - 1);
    long cellsApart = Math.min(MOST_STATES / most, MOST_CELLS_APART);
    long separation = roundedDown(bound.separation(), cellsApart);
    return schedules(new Key(separation, most)).worst(rounds, participations);
  }

  private static synchronized TreeSchedules schedules(Key key) {
    SoftReference<TreeSchedules> known = SCHEDULES.get(key);
    TreeSchedules schedules = known == null ? null : known.get();
    if (schedules == null) {
      schedules = new TreeSchedules(key.separation, key.most);
      SCHEDULES.put(key, new SoftReference<>(schedules));
    }
    return schedules;
  }

  /**
   * The separation without its last binary digits, so that its largest odd divisor is at most this.
   */
  private static long roundedDown(long separation, long oddPart) {
    long rounded = separation;
    while (rounded >>> Long.numberOfTrailingZeros(rounded) > oddPart) {
      rounded -= Long.lowestOneBit(rounded);
    }
    return rounded;
  }

  /**
   * An upper bound of the square: level by level, a block of 2^h rounds holds at most c = min(k,
   * ceil(2^h / b)) participations and all blocks together at most n, so that the sum of squares is
   * largest with full blocks, as many as there are or as n fills. Exact where every round takes
   * part; else the root was found up to 6 % too large, for n in the thousands.
   */
  static BigInteger boundByLevels(long rounds, ContributionBound bound) {
    long participations = bound.within(rounds);
    BigInteger squares = BigInteger.ZERO;
    for (int level = 0; level < 63 && 1L << level <= rounds; level++) {
      long blocks = rounds >>> level;
      long nodes = blocks - blocks / 2; // those at odd places
      long full = bound.within(1L << level);
      long filled = participations / full;
      long rest = filled >= nodes ? 0 : participations % full;
      squares = squares
          .add(square(full).multiply(BigInteger.valueOf(Math.min(nodes, filled))))
          .add(square(rest));
    }
    return squares;
  }

  private static BigInteger square(long number) {
    return BigInteger.valueOf(number).pow(2);
  }
}
