package dev.sotto.topology.label;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes and texts that may be null, with their length before them. */
final class StoredBytes {
  private StoredBytes() {}

  /** Of a text that may be null. */
  static byte[] utf8(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  /** How many bytes {@link #put} puts. */
  static int length(byte[] bytes) {
    return Integer.BYTES + (bytes == null ? 0 : bytes.length);
  }

  static void put(ByteBuffer out, byte[] bytes) {
    out.putInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.put(bytes);
    }
  }

  /** What {@link #put} has put. */
  static byte[] take(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0) {
      return null;
    }
    if (length > in.remaining()) {
      throw new IllegalArgumentException(length + " bytes of " + in.remaining());
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  static String takeText(ByteBuffer in) {
    byte[] bytes = take(in);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
