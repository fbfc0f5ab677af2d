package dev.sotto.topology.trainer;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Measures for how long slots are handed out between two commits, in one reading after the other.
 * Not safe for use by several threads.
 */
final class ReadStopwatch {
  private final long limit;
  private final LongSupplier nanos;
  private long spent; // in readings that have ended since the last commit
  private long began;
  private boolean reads;

  ReadStopwatch(Duration limit, LongSupplier nanos) {
    this.limit = limit.toNanos();
    this.nanos = nanos;
  }

  /** A commit has come. */
  void restart() {
    spent = 0;
    reads = false;
  }

  /** Begins a reading. */
  void begin() {
    reads = true;
    began = nanos.getAsLong();
  }

  /** Whether a reading has begun and not ended. */
  boolean reads() {
    return reads;
  }

  /** Whether there is any left. */
  boolean isLeft() {
    return spent + (reads ? nanos.getAsLong() - began : 0) < limit;
  }

  /** Ends the reading. */
  void end() {
    spent += nanos.getAsLong() - began;
    reads = false;
  }
}
