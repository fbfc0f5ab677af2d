package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.memory.SpareArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The noisy prefix {@code G_t + N_t} in lattice units, 128 bits a coordinate: exact for any number
 * of rounds. Sum and noise are added in one pass, so that no un-noised prefix is ever held.
 */
final class PrefixSum {
  private static final int MOST_BYTES = 16; // a coordinate
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Of noisy sums. */
  private static final SpareArrays<long[]> SPARE = SpareArrays.ofLongs(3);

  private final long[] high;
  private final long[] low;

  PrefixSum(int dimension) {
    this(SPARE.zeros(dimension), SPARE.zeros(dimension));
  }

  private PrefixSum(long[] high, long[] low) {
    this.high = high;
    this.low = low;
  }

  /** Room for the noisy sum of a round; may hold another one. */
  static long[] room(int dimension) {
    return SPARE.any(dimension);
  }

  /** Leaves its arrays, and that of a round, to the next ones of this thread; no use afterwards. */
  void recycle(long[] room) {
    SPARE.give(high);
    SPARE.give(low);
    SPARE.give(room);
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
      // A sign-extended step, and the carry of its unsigned addition: without a branch, for near 0
      // it comes and goes as the noise does.
      long carry = (before & step | (before | step) & ~after) >>> 63;
      high[i] += (step >> 63) + carry;
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

  /** Bytes that every coordinate fits into: 1 to 8, or 16. */
  private int width() {
    long bits = 0;
    for (int i = 0; i < low.length; i++) {
      if (high[i] != low[i] >> 63) {
        return MOST_BYTES;
      }
      bits |= low[i] ^ (low[i] >> 63);
    }
    return (Long.SIZE - Long.numberOfLeadingZeros(bits)) / Byte.SIZE + 1; // and a sign
  }

  /**
   * The coordinates as they are when a page is asked for, big-endian, each in as many bytes as the
   * largest takes.
   */
  PagedBytes view(int pageBytes) {
    int width = width();
    int perPage = Math.max(1, pageBytes / width);
    return new PagedBytes() {
      @Override
      public long length() {
        return (long) width * low.length;
      }

      @Override
      public int pages() {
        return (low.length + perPage - 1) / perPage;
      }

      @Override
      public byte[] page(int page) {
        int from = page * perPage;
        int to = Math.min(low.length, from + perPage);
        byte[] bytes = new byte[width * (to - from)];
        int start = 0;
        if (width <= Long.BYTES) {
          for (int rest = Long.SIZE - Byte.SIZE * width;
              from < to && start <= bytes.length - Long.BYTES;
              from++, start += width) {
            LONGS.set(bytes, start, low[from] << rest); // what follows overwrites the zeros
          }
        }
        for (; from < to; from++, start += width) {
          write(high[from], low[from], bytes, width, start + width);
        }
        return bytes;
      }
    };
  }

  /** The low bytes of a coordinate, up to an end. */
  private static void write(long high, long low, byte[] into, int width, int end) {
    long bits = low;
    for (int at = end - 1; at >= end - width; at--) {
      into[at] = (byte) bits;
      bits = at == end - Long.BYTES ? high : bits >> Byte.SIZE;
    }
  }

  static PrefixSum of(PagedBytes bytes, int dimension) {
    int width = dimension == 0 ? 1 : (int) Math.min(MOST_BYTES + 1, bytes.length() / dimension);
    boolean known = width >= 1 && width <= Long.BYTES || width == MOST_BYTES;
    if (!known || bytes.length() != (long) width * dimension) {
      throw new IllegalArgumentException("a prefix of " + dimension
          + " coordinates takes 1 to 8, or 16, bytes for each, but there were " + bytes.length());
    }
    PrefixSum prefix = new PrefixSum(SPARE.any(dimension), SPARE.any(dimension));
    int at = 0;
    for (int page = 0; page < bytes.pages(); page++) {
      byte[] from = bytes.page(page);
      int start = 0;
      if (width <= Long.BYTES) {
        for (int rest = Long.SIZE - Byte.SIZE * width;
            start <= from.length - Long.BYTES;
            at++, start += width) {
          long bits = (long) LONGS.get(from, start) >> rest;
          prefix.low[at] = bits;
          prefix.high[at] = bits >> 63;
        }
      }
      for (; start < from.length; start += width, at++) {
        prefix.read(at, from, start, width);
      }
    }
    if (at != dimension) {
      throw new IllegalArgumentException(
          "the pages of a prefix have " + at + " of " + dimension + " coordinates");
    }
    return prefix;
  }

  private void read(int coordinate, byte[] from, int start, int width) {
    long bits = from[start]; // with its sign
    for (int i = 1; i < width; i++) {
      if (i == Long.BYTES) {
        high[coordinate] = bits;
      }
      bits = bits << Byte.SIZE | from[start + i] & 0xff;
    }
    low[coordinate] = bits;
    if (width <= Long.BYTES) {
      high[coordinate] = bits >> 63;
    }
  }
}
