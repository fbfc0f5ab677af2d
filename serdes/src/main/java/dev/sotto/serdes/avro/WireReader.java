package dev.sotto.serdes.avro;

/**
 * Reads Avro's primitive types from an array. After a fault it gives zeros and {@link #finished} is
 * false, so that a caller may read on and look once at the end; it never throws and never reads
 * outside.
 */
public final class WireReader {
  private byte[] bytes;
  private int at;
  private int spanStart;
  private boolean broken;

  /** Starts over. */
  public void wrap(byte[] input, int from) {
    bytes = input;
    at = from;
    spanStart = from;
    broken = from > input.length;
  }

  /** Whether nothing was at fault and nothing is left. */
  public boolean finished() {
    return !broken && at == bytes.length;
  }

  /** An Avro int; at most five bytes. */
  public int integer() {
    long value = varint(35);
    if (value >>> 32 != 0) {
      broken = true;
      return 0;
    }
    int folded = (int) value;
    return (folded >>> 1) ^ -(folded & 1);
  }

  /** An Avro long; at most ten bytes. */
  public long number() {
    long folded = varint(70);
    return (folded >>> 1) ^ -(folded & 1);
  }

  private long varint(int bits) {
    if (!broken && at < bytes.length && bytes[at] >= 0) { // a single byte: most are
      return bytes[at++];
    }
    return longVarint(bits);
  }

  private long longVarint(int bits) {
    long value = 0;
    for (int shift = 0; shift < bits; shift += 7) {
      if (broken || at == bytes.length) {
        break;
      }
      int next = bytes[at++];
      if (shift == 63 && next > 1) {
        break; // the tenth byte holds the last bit only
      }
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    broken = true;
    return 0;
  }

  /** An Avro double. */
  public double real() {
    if (broken || bytes.length - at < Double.BYTES) {
      broken = true;
      return 0;
    }
    double value = LittleEndian.getDouble(bytes, at);
    at += Double.BYTES;
    return value;
  }

  /** Steps over Avro bytes or text, and tells how long it is; see {@link #spanStart}. */
  public int span() {
    long length = number();
    if (broken || length < 0 || length > bytes.length - at) {
      broken = true;
      return 0;
    }
    spanStart = at;
    at += (int) length;
    return (int) length;
  }

  /** Where the last span starts. */
  public int spanStart() {
    return spanStart;
  }
}
