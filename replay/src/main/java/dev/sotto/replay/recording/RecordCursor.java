package dev.sotto.replay.recording;

import java.io.Closeable;

/** Reads one partition of a recording, in ascending order of offsets. */
public interface RecordCursor extends RecordedRecord.Current, Closeable {
  /**
   * Moves to the next record; false after the last, once the partition's digest has been checked.
   *
   * @throws RecordingException where the file is truncated, damaged or changed: it names the file
   *     and the place
   */
  boolean next();

  @Override
  void close();
}
