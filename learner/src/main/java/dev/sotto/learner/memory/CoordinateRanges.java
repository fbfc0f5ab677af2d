package dev.sotto.learner.memory;

import java.util.stream.IntStream;

/**
 * The coordinates of a large vector, range by range, on all cores that there are: those of the
 * common pool and the calling thread; inside another pool, those of that pool. Who asks from several
 * threads shares them.
 *
 * <p>What is done with a range must read and write nothing that another range writes. Then results
 * are the same bits in any number of threads.
 */
public final class CoordinateRanges {
  /** Coordinates of a range. */
  private static final int LENGTH = 4096;

  /** Below as many ranges handing them out takes as long as it saves (benchmarks/README.md). */
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
