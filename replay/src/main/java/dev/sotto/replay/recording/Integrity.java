package dev.sotto.replay.recording;

/**
 * How a cursor makes sure that a recording holds what was recorded. Either way it also checks the order of offsets, their
 * range, and how many records there are, and the file's header stands under a SHA-256 digest of its own.
 */
public enum Integrity {
  /**
   * SHA-256 over each partition: no change goes unnoticed, so that a digest names its recording. It takes about half of
   * the time of reading where the processor has instructions for it, and most of it elsewhere.
   */
  DIGEST,
  /**
   * CRC-32C over each partition, which costs next to nothing: damage goes unnoticed once in 2^32 times, and changes made
   * on purpose can hide from it. For reading again what was checked in full before.
   */
  CHECKSUM
}
