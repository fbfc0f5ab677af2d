package dev.sotto.topology.label;

import java.nio.ByteBuffer;

/**
 * A label that has no slot yet.
 *
 * @param late whether its id had one when it came
 */
record EarlyLabel(long time, boolean late, byte[] value) {
  byte[] encode() {
    return ByteBuffer.allocate(length())
        .putLong(time)
        .put((byte) (late ? 1 : 0))
        .put(value)
        .array();
  }

  /** Bytes of {@link #encode}. */
  int length() {
    return Long.BYTES + 1 + value.length;
  }

  static EarlyLabel decode(byte[] bytes) {
    if (bytes == null) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long time = in.getLong();
    boolean late = in.get() != 0;
    byte[] value = new byte[in.remaining()];
    in.get(value);
    return new EarlyLabel(time, late, value);
  }
}
