package dev.sotto.serdes.avro;

/** Writes Avro's primitive types into an array that is made in the right size beforehand. */
public final class WireWriter {
  private byte[] bytes;
  private int at;

  /** How many bytes an Avro int or long takes. */
  public static int size(long value) {
    return (70 - Long.numberOfLeadingZeros(fold(value) | 1)) / 7;
  }

  /** How many bytes Avro bytes or text of this length take. */
  public static int spanSize(int length) {
    return size(length) + length;
  }

  /** Starts a new array with a copy of the header. */
  public void start(byte[] header, long size) {
    bytes = new byte[Math.toIntExact(size)];
    System.arraycopy(header, 0, bytes, 0, header.length);
    at = header.length;
  }

  /** An Avro int or long. */
  public WireWriter number(long value) {
    long rest = fold(value);
    while ((rest & ~0x7FL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    return this;
  }

  /** An Avro double. */
  public WireWriter real(double value) {
    LittleEndian.putDouble(bytes, at, value);
    at += Double.BYTES;
    return this;
  }

  /** Avro bytes or text. */
  public WireWriter span(byte[] from, int length) {
    number(length);
    System.arraycopy(from, 0, bytes, at, length);
    at += length;
    return this;
  }

  /** Avro bytes that hold the first {@code count} values. */
  public WireWriter doubles(double[] values, int count) {
    number((long) count * Double.BYTES);
    for (int i = 0; i < count; i++) {
      LittleEndian.putDouble(bytes, at + (i << 3), values[i]);
    }
    at += count * Double.BYTES;
    return this;
  }

  /** Avro bytes that hold the first {@code count} values. */
  public WireWriter ints(int[] values, int count) {
    number((long) count * Integer.BYTES);
    for (int i = 0; i < count; i++) {
      LittleEndian.putInt(bytes, at + (i << 2), values[i]);
    }
    at += count * Integer.BYTES;
    return this;
  }

  /** The array, which must be full by now. */
  public byte[] finish() {
    if (at != bytes.length) {
      throw new IllegalStateException("wrote " + at + " of " + bytes.length + " bytes");
    }
    byte[] full = bytes;
    bytes = null;
    return full;
  }

  private static long fold(long value) {
    return (value << 1) ^ (value >> 63);
  }
}
