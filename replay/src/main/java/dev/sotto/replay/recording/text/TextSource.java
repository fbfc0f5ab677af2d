package dev.sotto.replay.recording.text;

import java.io.Closeable;
import java.io.IOException;

/** The records of a text file, all partitions together, in the order of the file. */
interface TextSource extends Closeable {
  /**
   * Moves to the next record; false at the end.
   *
   * @throws FaultyText where the file cannot be understood
   * @throws IOException where it cannot be read
   */
  boolean next() throws IOException;

  /** The line on which the record begins, from 1. */
  long line();

  /** The record's key; may be null. */
  byte[] key();

  /** Its timestamp, in milliseconds since 1970; 0 where there is none. */
  long timestamp();

  /** Its value. */
  byte[] value();
}
