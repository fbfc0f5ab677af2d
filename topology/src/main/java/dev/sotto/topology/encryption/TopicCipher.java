package dev.sotto.topology.encryption;

/** Values on their way into an internal topic, and out of it. Safe for use by several threads. */
public interface TopicCipher {
  /** What is written for a value. */
  byte[] seal(byte[] value);

  /**
   * The value of what was written.
   *
   * @param written may be null
   * @throws dev.sotto.topology.failure.UnsafeToContinueException where it was written the other
   *     way, under other keys, or has been changed
   */
  byte[] open(byte[] written);
}
