package dev.sotto.serdes.registry;

/**
 * Where the record stands that is decoded now: coordinates, which do not depend on what it holds.
 * Whoever decodes keeps it up to date, and it is asked on the decoding thread only.
 */
public interface RecordPlace {
  /**
   * {@link #topic} where a topic made again under the name could not be distinguished from this
   * one.
   */
  String UNIDENTIFIED = "recorded";

  /** No place at all. */
  RecordPlace NONE = of(UNIDENTIFIED, 0, 0);

  /** A place that stays the same. */
  static RecordPlace of(String topic, int partition, long offset) {
    return new Fixed(topic, partition, offset);
  }

  /** The id of its topic. */
  String topic();

  /** Its partition. */
  int partition();

  /** Its offset there. */
  long offset();

  /** Whether another reading of the record can be recognized as one. */
  default boolean isKnown() {
    return !topic().equals(UNIDENTIFIED);
  }

  /** One that was known beforehand. */
  record Fixed(String topic, int partition, long offset) implements RecordPlace {}
}
