package dev.sotto.serdes.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds the bytes of a text that mean something, and copies short texts, eight at a time. */
public final class SpecialBytes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH = 0x0101010101010101L;
  private static final long HIGH = 0x80 * EACH;

  private static final int SHORT = 32;

  private SpecialBytes() {}

  /** Eight bytes as a number, the first one lowest. */
  public static long eight(byte[] text, int at) {
    return (long) LONGS.get(text, at);
  }

  /**
   * {@link System#arraycopy} between two arrays, faster where few bytes are copied. What stands
   * behind them in the other array, up to seven bytes, may be overwritten.
   */
  public static void copy(byte[] text, int from, byte[] into, int to, int length) {
    int more = Long.BYTES - 1;
    if (length > SHORT || from > text.length - length - more || to > into.length - length - more) {
      System.arraycopy(text, from, into, to, length);
      return;
    }
    for (int i = 0; i < length; i += Long.BYTES) {
      LONGS.set(into, to + i, (long) LONGS.get(text, from + i));
    }
  }

  /**
   * The place of the first byte that is one of two, or below a blank, or not ASCII; where there is
   * none, {@code to}.
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
      long special =
          (ones - EACH & ~ones | others - EACH & ~others | bytes - ' ' * EACH & ~bytes | bytes)
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
