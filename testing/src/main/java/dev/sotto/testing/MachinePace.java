package dev.sotto.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * How much more processor time the same work takes now than on a quiet machine. Processor time does
 * not count what others run, but it does count waiting for memory and for the other half of a core.
 */
final class MachinePace {
  /** What the work takes on a quiet core of a server of today, in seconds. */
  private static final double QUIET = 0.007;

  /** More is never allowed for: a class may not grow behind a slow machine. */
  private static final double MOST = 2.5;

  private static final int WARM_UP = 6;
  private static final int MEASURED = 9;
  private static final int STEPS = 3_000_000;
  private static final long[] TABLE = new long[1 << 19];

  private MachinePace() {}

  /** From 1 to 2.5: the median of nine small measurements, together about 0.1 s. */
  static double now() {
    double[] took = new double[MEASURED];
    for (int i = -WARM_UP; i < MEASURED; i++) {
      double each = work();
      if (i >= 0) {
        took[i] = each;
      }
    }
    Arrays.sort(took);
    return Math.min(MOST, Math.max(1, took[MEASURED / 2] / QUIET));
  }

  private static double work() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    long state = 88_172_645_463_325_252L; // of a xorshift generator; any but 0 will do
    for (int i = 0; i < STEPS; i++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      TABLE[(int) state & TABLE.length - 1] += state;
    }
    return (threads.getCurrentThreadCpuTime() - start) / 1e9;
  }
}
