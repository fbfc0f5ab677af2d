package dev.sotto.learner.memory;

import java.util.stream.IntStream;

/**
 * The coordinates of a large vector, range by range, on all cores that there are: in the threads of
 * the common pool and the calling one; inside another pool, in those of that pool. Several callers
 * share them.
 *
 * <p>What is done with a range must read and write nothing that another range writes. Then results
 * are the same bits in any number of threads.
 */
public final class CoordinateRanges {
  /** Coordinates of a range. */
  private static final int LENGTH = 4096;

  /** Fewer ranges stay in the caller's thread. */
  private static final int PARALLEL_FROM = 8;

  private CoordinateRanges() {}

  /** What is done with the coordinates from one on, up to another, which is not among them. */
  public interface Use {
    void range(int from, int to);
  }

  /** All coordinates, in ranges that begin at multiples of 64. */
  public static void each(int dimension, Use use) {
    each(dimension, LENGTH, use);
  }

  /** All coordinates, in ranges of a length of the caller's; the last one may be shorter. */
  public static void each(int dimension, int length, Use use) {
    int count = dimension / length + (dimension % length == 0 ? 0 : 1);
    IntStream ranges = IntStream.range(0, count);
    if (count >= PARALLEL_FROM) {
      ranges = ranges.parallel();
    }
    ranges.forEach(range -> use.range(range * length, Math.min(dimension, (range + 1) * length)));
  }
}
