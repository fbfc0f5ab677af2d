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

  @Override
  default void close() {}
}
