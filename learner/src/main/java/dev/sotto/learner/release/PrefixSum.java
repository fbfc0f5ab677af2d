package dev.sotto.learner.release;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The noisy prefix {@code G_t + N_t} in lattice units, 128 bits a coordinate: exact for any number of
 * rounds. Sum and noise are added in one pass, so that no un-noised prefix is ever held.
 */
final class PrefixSum {
  private final long[] high;
  private final long[] low;

  PrefixSum(int dimension) {
    high = new long[dimension];
    low = new long[dimension];
  }

  void clear() {
    Arrays.fill(high, 0);
    Arrays.fill(low, 0);
  }

  int dimension() {
    return low.length;
  }

  /**
   * Adds one round's exact sum and the change of the noise since the round before.
   *
   * @param noise in: the change of the noise; out: what was added, the round's noisy sum
   */
  void add(double[] sum, double unit, long[] noise) {
    double perUnit = 1 / unit; // a power of two: exact
    for (int i = 0; i < low.length; i++) {
      long step = (long) (sum[i] * perUnit) + noise[i]; // below 2^53 and 2^52: no overflow
      long before = low[i];
      long after = before + step;
      // The carry of an unsigned addition of a sign-extended step.
      high[i] += (step >> 63) + (Long.compareUnsigned(after, before) < 0 ? 1 : 0);
      low[i] = after;
      noise[i] = step;
    }
  }

  void toDoubles(double[] into, double unit, double divisor) {
    for (int i = 0; i < low.length; i++) {
      into[i] = toDouble(high[i], low[i]) * unit / divisor;
    }
  }

  private static double toDouble(long high, long low) {
    if (high == low >> 63) {
      return low;
    }
    double unsigned = (low >>> 1) * 2.0 + (low & 1);
    return high * 0x1p64 + unsigned;
  }

  byte[] toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(16 * low.length);
    for (int i = 0; i < low.length; i++) {
      buffer.putLong(high[i]).putLong(low[i]);
    }
    return buffer.array();
  }

  static PrefixSum of(byte[] bytes, int dimension) {
    if (bytes.length != 16L * dimension) {
      throw new IllegalArgumentException("a prefix of " + dimension + " coordinates takes "
          + 16L * dimension + " bytes, but there were " + bytes.length);
    }
    PrefixSum prefix = new PrefixSum(dimension);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int i = 0; i < dimension; i++) {
      prefix.high[i] = buffer.getLong();
      prefix.low[i] = buffer.getLong();
    }
    return prefix;
  }
}
