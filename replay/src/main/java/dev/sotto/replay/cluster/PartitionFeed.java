package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.RecordedRecord;

/** The committed records of one partition, in order, as a task reads them. */
interface PartitionFeed extends RecordedRecord.Current, AutoCloseable {
  /** Whether there is a current record. */
  boolean hasNext();

  /** Moves past the current record. */
  void advance();

  /** The offset after the last record that was passed. */
  long position();

  /** Bytes of key and value of the current record. */
  default long bytes() {
    byte[] key = key();
    byte[] value = value();
    return (key == null ? 0 : key.length) + (value == null ? 0 : (long) value.length);
  }

  /** Goes to the first record at or after an offset. */
  void seek(long offset);

  /** Whether no record will ever come at or after {@link #position}. */
  boolean isOver();

  @Override
  void close();
}
