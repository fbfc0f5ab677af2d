package dev.sotto.replay.cluster;

import org.apache.kafka.common.header.Headers;

/** How a task reads one partition: the committed records, in order. */
interface Feed extends AutoCloseable {
  /** Whether a record is at hand; all that follows is about it. */
  boolean hasNext();

  long offset();

  long timestamp();

  byte[] key();

  byte[] value();

  Headers headers();

  /** Leaves the record behind. */
  void advance();

  /** The offset from which on nothing has been left behind yet. */
  long position();

  /** Goes to the first record at or behind an offset. */
  void seek(long offset);

  /** Whether nothing will ever come behind {@link #position}. */
  boolean isOver();

  @Override
  void close();
}
