package dev.sotto.serdes.avro;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Doubles as bytes: IEEE 754, 8 bytes each, low byte first, bit for bit. */
public final class PackedDoubles {
  private static final int MANY = 12;

  private PackedDoubles() {}

  /** All of them. */
  public static byte[] pack(double[] values) {
    return pack(values, 0, values.length);
  }

  /** {@code count} of them, from the one at {@code from}. */
  public static byte[] pack(double[] values, int from, int count) {
    byte[] bytes = new byte[Math.multiplyExact(Double.BYTES, count)];
    for (int i = 0; i < count; i++) {
      LittleEndian.putDouble(bytes, i << 3, values[from + i]);
    }
    return bytes;
  }

  /**
   * The doubles of an array that holds nothing else.
   *
   * @throws IllegalArgumentException if its length is no multiple of 8
   */
  public static double[] unpack(byte[] bytes) {
    if (bytes.length % Double.BYTES != 0) {
      throw new IllegalArgumentException(
          "packed doubles must have a multiple of 8 bytes, but had " + bytes.length);
    }
    double[] values = new double[bytes.length / Double.BYTES];
    unpack(bytes, 0, values, 0, values.length);
    return values;
  }

  /**
   * Reads {@code count} doubles from byte {@code from} on into {@code values}, from place
   * {@code at} on.
   */
  public static void unpack(byte[] bytes, int from, double[] values, int at, int count) {
    if (count
        >= MANY) { // one copy where the order of bytes is the machine's; it costs one small object
      ByteBuffer.wrap(bytes, from, count << 3)
          .order(ByteOrder.LITTLE_ENDIAN)
          .asDoubleBuffer()
          .get(values, at, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      values[at + i] = LittleEndian.getDouble(bytes, from + (i << 3));
    }
  }
}
