package dev.sotto.serdes.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds the bytes of a text that mean something, eight at a time. */
public final class SpecialBytes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH = 0x0101010101010101L;
  private static final long HIGH = 0x80 * EACH;

  private SpecialBytes() {}

  /** Eight bytes as a number, the first one lowest. */
  public static long eight(byte[] text, int at) {
    return (long) LONGS.get(text, at);
  }

  /**
   * The place of the first byte that is one of two, or below a blank, or not ASCII; {@code to} where
   * there is none.
   *
   * @param one of ASCII
   * @param other of ASCII
   */
  public static int first(byte[] text, int from, int to, byte one, byte other) {
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long bytes = eight(text, at);
      long ones = bytes ^ one * EACH;
      long others = bytes ^ other * EACH;
      // The highest bit of each byte that is special, and maybe of bytes after the first of them.
      long special = (ones - EACH & ~ones
              | others - EACH & ~others
              | bytes - ' ' * EACH & ~bytes
              | bytes)
          & HIGH;
      if (special != 0) {
        return at + Long.numberOfTrailingZeros(special) / Byte.SIZE;
      }
    }
    while (at < to && text[at] >= ' ' && text[at] != one && text[at] != other) {
      at++;
    }
    return at;
  }
}
