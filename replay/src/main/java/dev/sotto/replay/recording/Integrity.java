package dev.sotto.replay.recording;

/**
 * What a cursor checks beside the order, range and number of records. The header of a file has a
 * SHA-256 digest of its own in both cases.
 */
public enum Integrity {
  /**
   * SHA-256 over each partition detects every change. It takes about 90 ns for a record of 170
   * bytes where the processor has instructions for it, twice as long as all other reading, so it is
   * computed once: a partition that was found intact is read again with {@link #CHECKSUM} as long
   * as the recording is open.
   */
  DIGEST,
  /**
   * CRC-32C over each partition takes about 3 ns for such a record. It misses damage once in 2^32
   * times, and changes made on purpose. For reading again what was checked in full before.
   */
  CHECKSUM
}
