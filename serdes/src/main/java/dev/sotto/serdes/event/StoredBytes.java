package dev.sotto.serdes.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytes and texts that may be null, with their length before them. */
public final class StoredBytes {
  private StoredBytes() {}

  /** Of a text that may be null. */
  public static byte[] utf8(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  /** How many bytes {@link #put} puts. */
  public static int length(byte[] bytes) {
    return Integer.BYTES + (bytes == null ? 0 : bytes.length);
  }

  public static void put(ByteBuffer out, byte[] bytes) {
    out.putInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.put(bytes);
    }
  }

  /** What {@link #put} has put. */
  public static byte[] take(ByteBuffer in) {
    int length = in.getInt();
    if (length < -1 || length > in.remaining()) {
      throw new IllegalArgumentException(length + " bytes of " + in.remaining());
    }
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  public static String takeText(ByteBuffer in) {
    byte[] bytes = take(in);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
