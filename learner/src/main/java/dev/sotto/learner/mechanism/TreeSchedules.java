package dev.sotto.learner.mechanism;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The largest {@code ||C u||^2} of a tree over the schedules u of participations at least b rounds
 * apart, exactly: dynamic programming over blocks of 2^h rounds, the state being the number of
 * participations and the empty rounds at both borders. A node's entry of C u is the number of
 * participations under it.
 *
 * <p>With b = q b', q a power of two and b' odd, cells of q rounds act as single rounds: each holds
 * at most one participation, which lies under most nodes in the cell's first round; and those first
 * rounds are b apart where the cells are b' apart.
 *
 * <p>Blocks are computed once for all numbers of rounds, and so is each prefix of the binary digits
 * of the last number of rounds: going on by one round costs little. Safe for use by several
 * threads.
 */
final class TreeSchedules {
  private final int most;
  private final long separation; // b', in cells
  private final int cellLevel; // log2 q
  private final ScheduleFrontier.Builder inner;
  private final ScheduleFrontier.Builder outer; // of prefixes: what lies before them hinders nobody
  private final ScheduleFrontier empty;
  private final List<ScheduleFrontier[]> blocks =
      new ArrayList<>(); // by level, then by participations
  private final Deque<Prefix> path = new ArrayDeque<>();

  /** Which of two neighbours a prefix uses as a node: of the halves of a block the left one. */
  private enum Node {
    LEFT,
    RIGHT
  }

  private record Prefix(long cells, ScheduleFrontier[] fronts) {}

  /**
   * @param separation b, in rounds; its odd part small enough for arrays of its square
   * @param most no schedule has more participations
   */
  TreeSchedules(long separation, int most) {
    this.most = most;
    cellLevel = Long.numberOfTrailingZeros(separation);
    this.separation = separation >>> cellLevel;
    int reach = (int) this.separation - 1;
    inner = new ScheduleFrontier.Builder(reach, reach);
    outer = new ScheduleFrontier.Builder(0, reach);
    empty = single(0);
    blocks.add(new ScheduleFrontier[] {empty, single(cellLevel)});
    path.push(new Prefix(0, new ScheduleFrontier[] {empty}));
  }

  private ScheduleFrontier single(long value) {
    inner.add(0, 0, value);
    return inner.build();
  }

  /**
   * The largest sum of squares within a number of rounds, of schedules with at most a number of
   * participations.
   */
  synchronized long worst(long rounds, long participations) {
    long cells = rounds >>> cellLevel;
    while (!isPrefix(path.peek().cells(), cells)) {
      path.pop();
    }
    for (long left = cells - path.peek().cells(); left > 0; left -= Long.highestOneBit(left)) {
      Prefix before = path.peek();
      long size = Long.highestOneBit(left);
      ScheduleFrontier[] block = block(Long.numberOfTrailingZeros(size));
      ScheduleFrontier[] fronts =
          joined(before.fronts(), block, before.cells(), size, Node.RIGHT, outer);
      path.push(new Prefix(before.cells() + size, fronts));
    }
    ScheduleFrontier[] fronts = path.peek().fronts();
    long rest = rounds - (cells << cellLevel);
    if (rest > 0) { // an open cell: its first round lies under one node of each size that fits
      ScheduleFrontier[] open = {empty, single(63 - Long.numberOfLeadingZeros(rest))};
      fronts = joined(fronts, open, cells, 1, Node.RIGHT, outer);
    }
    long worst = 0;
    for (int n = 0; n < fronts.length && n <= participations; n++) {
      worst = Math.max(worst, fronts[n].most());
    }
    return worst;
  }

  private static boolean isPrefix(long prefix, long number) {
    return prefix == 0 || (number & -Long.lowestOneBit(prefix)) == prefix;
  }

  private ScheduleFrontier[] block(int level) {
    while (blocks.size() <= level) {
      long half = 1L << blocks.size() - 1;
      ScheduleFrontier[] halves = blocks.get(blocks.size() - 1);
      blocks.add(joined(halves, halves, half, half, Node.LEFT, inner));
    }
    return blocks.get(level);
  }

  /**
   * The fronts of two neighbours together; the one that is a node itself adds the square of its
   * count.
   */
  private ScheduleFrontier[] joined(
      ScheduleFrontier[] left,
      ScheduleFrontier[] right,
      long leftCells,
      long rightCells,
      Node node,
      ScheduleFrontier.Builder builder) {
    long fit = (leftCells + rightCells - 1) / separation + 1;
    int longest = (int) Math.min(Math.min(most, fit), left.length + right.length - 2L);
    ScheduleFrontier[] fronts = new ScheduleFrontier[longest + 1];
    fronts[0] = empty;
    for (int n = 1; n <= longest; n++) {
      for (int l = Math.min(n, left.length - 1); l >= Math.max(0, n - right.length + 1); l--) {
        int r = n - l;
        long under = node == Node.LEFT ? l : r;
        long worth = under * under;
        if (l == 0) {
          builder.addPadded(right[r], leftCells, 0, worth);
        } else if (r == 0) {
          builder.addPadded(left[l], 0, rightCells, worth);
        } else {
          builder.addJoined(left[l], right[r], worth);
        }
      }
      fronts[n] = builder.build();
    }
    return fronts;
  }
}
