package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.RecordedRange;

/**
 * One partition of a container.
 *
 * @param range what was recorded
 * @param start where its first block begins in the file; where it would, if it holds no record
 * @param block how many sealed blocks lie before it
 * @param checksum CRC-32C of its records, one after the other as Avro's binary encoding has them
 * @param digest SHA-256 of the same bytes, in hexadecimal
 */
record Stretch(RecordedRange range, long start, long block, int checksum, String digest) {
  /** A partition of which nothing is there yet. */
  static Stretch open(RecordedRange range) {
    return new Stretch(range, 0, 0, 0, "");
  }
}
