package dev.sotto.topology.processor;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far the workers of each stream thread have come. A commit is one of the whole thread, and a
 * round waits for every part: so the last worker of a thread to send its part of a round asks for
 * the commit of all. Where one of them has to wait for events, the commit interval commits the
 * parts of the others.
 */
final class ThreadParts {
  private final Map<Thread, Map<Integer, Long>> sent = new ConcurrentHashMap<>();

  /** The calling thread sums slices of a partition from now on; until {@link #end}. */
  void begin(int partition) {
    sent.computeIfAbsent(Thread.currentThread(), thread -> new HashMap<>()).put(partition, 0L);
  }

  /**
   * A worker of the calling thread has sent its part.
   *
   * @return whether every worker of this thread has sent its part of that round
   */
  boolean isLast(int partition, long round) {
    Map<Integer, Long> mine = sent.get(Thread.currentThread());
    mine.put(partition, round);
    for (long each : mine.values()) {
      if (each < round) {
        return false;
      }
    }
    return true;
  }

  /** The calling thread no longer sums slices of a partition. */
  void end(int partition) {
    sent.computeIfPresent(Thread.currentThread(), (thread, mine) -> {
      mine.remove(partition);
      return mine.isEmpty() ? null : mine;
    });
  }
}
