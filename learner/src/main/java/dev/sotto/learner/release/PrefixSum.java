package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.PagedBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The noisy prefix {@code G_t + N_t} in lattice units, 128 bits a coordinate: exact for any number
 * of rounds. Sum and noise are added in one pass, so that no un-noised prefix is ever held.
 */
final class PrefixSum {
  private static final int BYTES = 16; // a coordinate

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

  /** Two longs a coordinate, the high one first, as they are when a page is asked for. */
  PagedBytes view(int pageBytes) {
    int perPage = Math.max(1, pageBytes / BYTES);
    return new PagedBytes() {
      @Override
      public long length() {
        return (long) BYTES * low.length;
      }

      @Override
      public int pages() {
        return (low.length + perPage - 1) / perPage;
      }

      @Override
      public byte[] page(int page) {
        int from = page * perPage;
        int to = Math.min(low.length, from + perPage);
        ByteBuffer buffer = ByteBuffer.allocate(BYTES * (to - from));
        for (int i = from; i < to; i++) {
          buffer.putLong(high[i]).putLong(low[i]);
        }
        return buffer.array();
      }
    };
  }

  static PrefixSum of(PagedBytes bytes, int dimension) {
    if (bytes.length() != (long) BYTES * dimension) {
      throw new IllegalArgumentException("a prefix of " + dimension + " coordinates takes "
          + (long) BYTES * dimension + " bytes, but there were " + bytes.length());
    }
    PrefixSum prefix = new PrefixSum(dimension);
    int at = 0;
    for (int page = 0; page < bytes.pages(); page++) {
      for (ByteBuffer from = ByteBuffer.wrap(bytes.page(page)); from.hasRemaining(); at++) {
        prefix.high[at] = from.getLong();
        prefix.low[at] = from.getLong();
      }
    }
    return prefix;
  }
}
