package dev.sotto.replay.recording;

import java.io.Closeable;
import org.apache.kafka.common.header.Headers;

/** Goes through one partition of a recording, in ascending order of offsets. */
public interface RecordCursor extends Closeable {
  /**
   * Moves to the next record; false behind the last, when the partition's digest has been found right.
   *
   * @throws RecordingFault where the file is truncated, damaged or was changed: it names file and place
   */
  boolean next();

  /** The record's offset. */
  long offset();

  /** Its timestamp, in milliseconds since 1970. */
  long timestamp();

  /** Its key; may be null. */
  byte[] key();

  /** Its value; may be null. */
  byte[] value();

  /** Its headers; never null, to be read only. */
  Headers headers();

  @Override
  void close();
}
