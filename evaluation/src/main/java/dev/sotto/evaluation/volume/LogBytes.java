package dev.sotto.evaluation.volume;

import java.nio.charset.StandardCharsets;

/**
 * What records take in a log of Kafka (message format 2): a batch has a head of 61 bytes, and a
 * transaction leaves a marker in every partition into which it has written.
 */
final class LogBytes {
  /** The head of a batch. */
  static final long BATCH = 61;

  /** The marker that ends a transaction in a partition: a batch of one short record. */
  static final long MARKER = 78;

  /** A segment of a topic that the learner makes. */
  static final long SEGMENT = 64L << 20;

  /** A record of a few numbers. */
  static final long SMALL = 64;

  /** A label with its key, and what stands before the two in a labelled event. */
  static final long LABEL = 130;

  /** Attributes, and the differences of time and offset to those of the batch. */
  private static final long FIXED = 1 + 2 + 1;

  private LogBytes() {}

  /** What a batch that is a transaction of its own takes beside its records. */
  static long overhead() {
    return BATCH + MARKER;
  }

  /**
   * A record within its batch.
   *
   * @param key bytes of the key, -1 where there is none
   * @param value bytes of the value
   * @param headers names and values in turn
   */
  static long record(long key, long value, String... headers) {
    long body = FIXED + sized(key) + sized(value) + varint(headers.length / 2);
    for (String each : headers) {
      body += sized(each.getBytes(StandardCharsets.UTF_8).length);
    }
    return varint(body) + body;
  }

  /** The same with a key of text. */
  static long record(String key, long value, String... headers) {
    return record(key.getBytes(StandardCharsets.UTF_8).length, value, headers);
  }

  private static long sized(long bytes) {
    return varint(bytes) + Math.max(0, bytes);
  }

  /** Bytes of a number in zigzag encoding. */
  private static long varint(long number) {
    long zigzag = number << 1 ^ number >> 63;
    return Math.max(1, (64 - Long.numberOfLeadingZeros(zigzag) + 6) / 7);
  }
}
