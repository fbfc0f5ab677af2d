package dev.sotto.topology.log;

/**
 * How much longer a task may work before what it did is committed. A transaction is one of a whole
 * stream thread: what one of its tasks takes is gone for all of them.
 */
public interface ReadTime {
  /** No transaction times out. */
  ReadTime UNLIMITED = () -> Long.MAX_VALUE;

  /** Nanoseconds; at most 0 once a commit should come first. */
  long left();

  /** What the clock shows by which that passes, in nanoseconds. */
  default long now() {
    return System.nanoTime();
  }
}
