package dev.sotto.serdes.record;

import java.lang.management.ManagementFactory;

/** How much this thread has allocated so far. */
public final class Allocation {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  public static long ofThisThread() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
