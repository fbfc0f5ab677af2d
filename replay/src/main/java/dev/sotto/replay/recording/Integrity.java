package dev.sotto.replay.recording;

/**
 * How a cursor makes sure that a recording holds what was recorded. Either way it also checks the order of offsets, their
 * range, and how many records there are, and the file's header stands under a SHA-256 digest of its own.
 */
public enum Integrity {
  /**
   * SHA-256 over each partition: no change goes unnoticed, so that a digest names its recording. Some 90 ns a record of 170
   * bytes where the processor has instructions for it, twice what all else of reading takes, and several times that elsewhere.
   * So it is taken once: a partition that was found right is read again under its checksum, as long as the recording
   * is open.
   */
  DIGEST,
  /**
   * CRC-32C over each partition, which costs 3 ns for such a record: damage goes unnoticed once in 2^32 times, and changes made
   * on purpose can hide from it. For reading again what was checked in full before.
   */
  CHECKSUM
}
