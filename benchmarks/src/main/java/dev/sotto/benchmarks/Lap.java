package dev.sotto.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A stopwatch in the hands of the loop that is measured: it starts at the first record that the loop
 * sees and stops at the last, so that joining a group, restoring and closing do not count. One thread
 * ticks, or several where the lap is stopped by another; any may wait.
 */
final class Lap {
  private static final OperatingSystemMXBean MACHINE =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long records;
  private final Broker broker;
  private final boolean byItself;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private long seen;
  private volatile Marks begin;
  private volatile Run run;

  private record Marks(long nanos, long cpuNanos, long thread, long threadNanos, long brokerNanos) {
    static Marks now(long thread, Broker broker) {
      return new Marks(
          System.nanoTime(),
          MACHINE.getProcessCpuTime(),
          thread,
          THREADS.getThreadCpuTime(thread),
          broker.cpuNanos());
    }
  }

  /** A lap of so many records that ends at the last of them. */
  Lap(long records, Broker broker) {
    this(records, broker, true);
  }

  /**
   * A lap of so many records.
   *
   * @param byItself whether it ends at the last of them; otherwise at {@link #stop}
   */
  Lap(long records, Broker broker, boolean byItself) {
    this.records = records;
    this.broker = broker;
    this.byItself = byItself;
  }

  /** One more record has come. */
  void tick() {
    if (begin == null) {
      start();
    }
    if (byItself && ++seen == records) {
      stop();
    }
  }

  private synchronized void start() {
    if (begin == null) {
      begin = Marks.now(Thread.currentThread().getId(), broker);
    }
  }

  /** Ends the lap. */
  void stop() {
    Marks end = Marks.now(begin.thread, broker);
    run = new Run(
        records,
        (end.nanos - begin.nanos) / 1e9,
        (end.cpuNanos - begin.cpuNanos) / 1e9,
        (end.threadNanos - begin.threadNanos) / 1e9,
        (end.brokerNanos - begin.brokerNanos) / 1e9);
    stopped.countDown();
  }

  /** Waits a while; whether the lap has ended. */
  boolean await(long millis) throws InterruptedException {
    return stopped.await(millis, TimeUnit.MILLISECONDS);
  }

  /** What it took, once it has ended. */
  Run run() {
    return run;
  }
}
