package dev.sotto.topology.log;

import dev.sotto.topology.failure.UnsafeToContinueException;

/** The committed records of the source, to be read again after a restart. */
public interface SlotLog extends AutoCloseable {
  /**
   * Hands every committed record with {@code from <= offset < to} to a visitor, in order, until it
   * has enough.
   *
   * @return whether all of them were handed on
   * @throws UnsafeToContinueException where the log no longer reaches back to {@code from}
   */
  boolean read(int partition, long from, long to, Visitor visitor);

  /** Ends it; one that keeps nothing open need not be closed. */
  @Override
  default void close() {}

  /** Takes one record. */
  @FunctionalInterface
  interface Visitor {
    /** One record; returns whether to go on. */
    boolean accept(SourceRecord record);
  }
}
