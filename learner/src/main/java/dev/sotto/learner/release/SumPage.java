package dev.sotto.learner.release;

import java.nio.ByteBuffer;

/**
 * A stretch of an exact sum as bytes: every coordinate, or those that are not zero where that is
 * shorter.
 */
final class SumPage {
  private static final byte DENSE = 0;
  private static final byte SPARSE = 1;
  private static final int ONE = Integer.BYTES + Double.BYTES;

  private SumPage() {}

  /** The coordinates in {@code [from, to)}; null where all are zero. */
  static byte[] encode(double[] sum, int from, int to) {
    int filled = 0;
    for (int i = from; i < to; i++) {
      if (sum[i] != 0) {
        filled++;
      }
    }
    if (filled == 0) {
      return null;
    }
    if ((long) ONE * filled < (long) Double.BYTES * (to - from)) {
      ByteBuffer bytes = ByteBuffer.allocate(1 + ONE * filled).put(SPARSE);
      for (int i = from; i < to; i++) {
        if (sum[i] != 0) {
          bytes.putInt(i - from).putDouble(sum[i]);
        }
      }
      return bytes.array();
    }
    ByteBuffer bytes = ByteBuffer.allocate(1 + Double.BYTES * (to - from)).put(DENSE);
    for (int i = from; i < to; i++) {
      bytes.putDouble(sum[i]);
    }
    return bytes.array();
  }

  /** Fills coordinates that are zero so far. */
  static void decode(byte[] page, double[] sum, int from, int to) {
    ByteBuffer bytes = ByteBuffer.wrap(page);
    if (bytes.get() == SPARSE) {
      while (bytes.hasRemaining()) {
        sum[from + bytes.getInt()] = bytes.getDouble();
      }
      return;
    }
    for (int i = from; i < to; i++) {
      sum[i] = bytes.getDouble();
    }
  }
}
