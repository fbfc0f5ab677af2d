package dev.sotto.replay.recording;

import org.apache.kafka.common.header.Headers;

/** One record of a partition. */
public interface RecordedRecord {
  /** The record's offset. */
  long offset();

  /** Its timestamp, in milliseconds since 1970. */
  long timestamp();

  /** Its key; may be null. */
  byte[] key();

  /** Its value; may be null. */
  byte[] value();

  /** Its headers; never null, read only. */
  Headers headers();

  /** A record that is kept in memory. */
  record Stored(long offset, long timestamp, byte[] key, byte[] value, Headers headers)
      implements RecordedRecord {}

  /** Something that moves from record to record, and stands for the current one. */
  interface Current extends RecordedRecord {
    /** The current record, which may change with the next move. */
    RecordedRecord current();

    @Override
    default long offset() {
      return current().offset();
    }

    @Override
    default long timestamp() {
      return current().timestamp();
    }

    @Override
    default byte[] key() {
      return current().key();
    }

    @Override
    default byte[] value() {
      return current().value();
    }

    @Override
    default Headers headers() {
      return current().headers();
    }
  }
}
