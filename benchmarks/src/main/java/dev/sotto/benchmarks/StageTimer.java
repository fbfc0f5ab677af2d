package dev.sotto.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures from the first record that a loop sees to the last, without joining a group, restoring
 * and closing. One thread ticks, or several where {@link #stop} ends the measurement; any may wait.
 */
final class StageTimer {
  private static final OperatingSystemMXBean MACHINE =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long records;
  private final BenchmarkBroker broker;
  private final boolean byItself;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private long seen;
  private volatile Marks begin;
  private volatile MeasuredRun run;

  private record Marks(long nanos, long cpuNanos, long thread, long threadNanos, long brokerNanos) {
    static Marks now(long thread, BenchmarkBroker broker) {
      return new Marks(
          System.nanoTime(),
          MACHINE.getProcessCpuTime(),
          thread,
          THREADS.getThreadCpuTime(thread),
          broker.cpuNanos());
    }
  }

  /** A measurement that ends at the last of {@code records} records. */
  StageTimer(long records, BenchmarkBroker broker) {
    this(records, broker, true);
  }

  /**
   * A measurement over {@code records} records.
   *
   * @param byItself whether it ends at the last of them; otherwise at {@link #stop}
   */
  StageTimer(long records, BenchmarkBroker broker, boolean byItself) {
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

  /** The measurement begins, on the thread that is measured, unless it has. */
  synchronized void start() {
    if (begin == null) {
      begin = Marks.now(Thread.currentThread().getId(), broker);
    }
  }

  /** Ends the measurement. */
  void stop() {
    Marks end = Marks.now(begin.thread, broker);
    run = new MeasuredRun(
        records,
        (end.nanos - begin.nanos) / 1e9,
        (end.cpuNanos - begin.cpuNanos) / 1e9,
        (end.threadNanos - begin.threadNanos) / 1e9,
        (end.brokerNanos - begin.brokerNanos) / 1e9);
    stopped.countDown();
  }

  /** Waits a while, and returns whether the measurement has ended. */
  boolean await(long millis) throws InterruptedException {
    return stopped.await(millis, TimeUnit.MILLISECONDS);
  }

  /** The result, once it has ended; null before. */
  MeasuredRun run() {
    return run;
  }
}
