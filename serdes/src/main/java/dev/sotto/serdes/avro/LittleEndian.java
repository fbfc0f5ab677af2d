package dev.sotto.serdes.avro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in arrays of bytes, low byte first, at any place. */
public final class LittleEndian {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  public static int getInt(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at);
  }

  static void putInt(byte[] bytes, int at, int value) {
    INTS.set(bytes, at, value);
  }

  public static long getLong(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }

  public static double getDouble(byte[] bytes, int at) {
    return (double) DOUBLES.get(bytes, at);
  }

  static void putDouble(byte[] bytes, int at, double value) {
    DOUBLES.set(bytes, at, value);
  }
}
