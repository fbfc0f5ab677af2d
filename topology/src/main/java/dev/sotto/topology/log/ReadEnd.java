package dev.sotto.topology.log;

/** Looks whether a partition has been read to its end. */
public interface ReadEnd extends AutoCloseable {
  /** {@link #readBefore} where there is more. */
  long THERE_IS_MORE = Long.MIN_VALUE;

  /**
   * Up to which time all records have been read, by whoever has read those below an offset.
   *
   * @param now the clock, which is read before the end is asked for
   * @param wanted the time that is of interest: where it is not over, nobody need look
   * @return now where no record stands at or behind the offset, not even one of a transaction that
   *     is still open; {@link Long#MAX_VALUE} where none will ever come; else
   *     {@link #THERE_IS_MORE}
   */
  long readBefore(int partition, long offset, long now, long wanted);

  /**
   * Requires that a partition is as long as what has been read of it: one that was deleted and made
   * again is not, and its records would be left out as read. Says nothing where it has no leader.
   *
   * @param offset behind what has been read
   */
  default void requireReaches(int partition, long offset) {}

  @Override
  default void close() {}
}
