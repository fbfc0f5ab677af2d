package dev.sotto.topology.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A stop that lets tasks first write what they hold on the heap alone, so that the next start does
 * not read again what was learned: the log may hold it no longer. Safe for use by several threads.
 */
public final class CleanStop {
  private static final long LOOK_MILLIS = 20;

  private final Set<Integer> unsaved = ConcurrentHashMap.newKeySet();
  private volatile boolean expected;
  private volatile boolean asked;

  /** Somebody will ask for it. */
  public void expect() {
    expected = true;
  }

  /** Whether somebody will ask for it. */
  public boolean isExpected() {
    return expected;
  }

  /** Whether everything is to be written now. */
  public boolean isAsked() {
    return asked;
  }

  /** A task holds what no store has. */
  public void hold(int partition) {
    unsaved.add(partition);
  }

  /** A task holds nothing more than its stores, or is gone. */
  public void release(int partition) {
    unsaved.remove(partition);
  }

  /**
   * Asks, and waits until all is written.
   *
   * @return whether it was, within the time
   */
  public boolean ask(Duration patience) throws InterruptedException {
    asked = true;
    long end = System.nanoTime() + patience.toNanos();
    while (!unsaved.isEmpty() && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_MILLIS);
    }
    return unsaved.isEmpty();
  }
}
