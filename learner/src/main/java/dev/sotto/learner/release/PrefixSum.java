package dev.sotto.learner.release;

import dev.sotto.learner.example.Vectors;
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
  private static final int LONGEST = 128; // bits of a coordinate
  /** More bits than these are not packed: with up to seven before them they fill 64. */
  private static final int PACKED = 56;
  /** From this number of coordinates on their bits follow from their bytes. */
  private static final int FEW = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Of noisy sums. */
  private static final SpareArrays<long[]> SPARE = SpareArrays.ofLongs(3);

  private final long[] high;
  private final long[] low;
  private final long[] step; // of the newest round: its noise, and then its noisy sum

  PrefixSum(int dimension) {
    this(SPARE.zeros(dimension), SPARE.zeros(dimension));
  }

  private PrefixSum(long[] high, long[] low) {
    this.high = high;
    this.low = low;
    this.step = SPARE.any(low.length);
  }

  /** Leaves its arrays to the next ones of this thread; no use afterwards. */
  void recycle() {
    SPARE.give(high);
    SPARE.give(low);
    SPARE.give(step);
  }

  void clear() {
    Arrays.fill(high, 0);
    Arrays.fill(low, 0);
  }

  /**
   * Begins a round: zeros, to which the change of the noise since the round before is to be added;
   * the exact sum follows by {@link #addNoisy}, range by range.
   */
  long[] beginRound() {
    Arrays.fill(step, 0);
    return step;
  }

  /** Adds the round's exact sum plus the noise in {@link #beginRound}'s array, in one pass. */
  void addNoisy(double[] sum, double unit) {
    addNoisy(sum, unit, 0, low.length);
  }

  /**
   * The same of some coordinates.
   *
   * @param from the first coordinate
   * @param to the one that follows the last
   */
  void addNoisy(double[] sum, double unit, int from, int to) {
    double perUnit = 1 / unit; // a power of two: exact
    for (int i = from; i < to; i++) {
      long noisy = (long) (sum[i] * perUnit) + step[i]; // below 2^53 and 2^52: no overflow
      long before = low[i];
      long after = before + noisy;
      // A sign-extended step, and the carry of its unsigned addition: without a branch, for near 0
      // it comes and goes as the noise does.
      long carry = (before & noisy | (before | noisy) & ~after) >>> 63;
      high[i] += (noisy >> 63) + carry;
      low[i] = after;
      step[i] = noisy;
    }
  }

  /** The noisy sum of the round that was added last: a view, good until the next one begins. */
  long[] lastRound() {
    return step;
  }

  void toDoubles(double[] into, double unit, double divisor) {
    toDoubles(into, unit, divisor, 0, low.length);
  }

  /** The coordinates from one up to another. */
  void toDoubles(double[] into, double unit, double divisor, int from, int to) {
    for (int i = from; i < to; i++) {
      into[i] = toDouble(high[i], low[i]) * unit;
    }
    Vectors.divide(into, divisor, from, to);
  }

  private static double toDouble(long high, long low) {
    if (high == low >> 63) {
      return low;
    }
    double unsigned = (low >>> 1) * 2.0 + (low & 1);
    return high * 0x1p64 + unsigned;
  }

  /** Bits that every coordinate fits into, with its sign. */
  private int width() {
    long bits = 0;
    for (int i = 0; i < low.length; i++) {
      if (high[i] != low[i] >> 63) {
        return LONGEST;
      }
      bits |= low[i] ^ (low[i] >> 63);
    }
    int width = Long.SIZE - Long.numberOfLeadingZeros(bits) + 1;
    return width > PACKED
        ? Long.SIZE
        : low.length < FEW ? (width + 7) / Byte.SIZE * Byte.SIZE : width;
  }

  private static boolean isWidth(long width, int dimension) {
    return width == Long.SIZE
        || width == LONGEST
        || width >= 1 && width <= PACKED && (dimension >= FEW || width % Byte.SIZE == 0);
  }

  private static long bytes(long width, long coordinates) {
    return (width * coordinates + Byte.SIZE - 1) / Byte.SIZE;
  }

  /**
   * The coordinates as they are when a page is asked for, big-endian, each in as many bits as the
   * largest takes: 1 to 56, 64, or 128; whole bytes where there are fewer than 64 coordinates. A
   * page ends with a byte.
   */
  PagedBytes view(int pageBytes) {
    int width = width();
    long fit = (long) pageBytes * Byte.SIZE / width;
    int perPage = width % Byte.SIZE == 0
        ? (int) Math.max(1, fit)
        : (int) Math.max(Byte.SIZE, fit / Byte.SIZE * Byte.SIZE);
    return new PagedBytes() {
      @Override
      public long length() {
        return bytes(width, low.length);
      }

      @Override
      public int pages() {
        return (low.length + perPage - 1) / perPage;
      }

      @Override
      public byte[] page(int page) {
        int from = page * perPage;
        int to = Math.min(low.length, from + perPage);
        byte[] bytes = new byte[(int) bytes(width, to - from)];
        if (width <= PACKED) {
          pack(from, to, width, bytes);
        } else {
          for (int i = from, at = 0; i < to; i++, at += width / Byte.SIZE) {
            if (width == LONGEST) {
              LONGS.set(bytes, at, high[i]);
            }
            LONGS.set(bytes, at + width / Byte.SIZE - Long.BYTES, low[i]);
          }
        }
        return bytes;
      }
    };
  }

  private void pack(int from, int to, int width, byte[] into) {
    long mask = -1L >>> Long.SIZE - width;
    int last = into.length - Long.BYTES;
    int bit = 0;
    long begun = 0; // the bits of the byte at `bit` that are written already
    int i = from;
    for (; i < to && bit >> 3 <= last; i++) {
      int start = bit >> 3;
      long word = begun | (low[i] & mask) << Long.SIZE - width - (bit & 7);
      LONGS.set(into, start, word); // what follows overwrites the zeros
      bit += width;
      begun = word << Byte.SIZE * ((bit >> 3) - start);
    }
    for (; i < to; i++) {
      for (int k = width - 1; k >= 0; k--, bit++) {
        into[bit >> 3] |= (byte) ((low[i] >>> k & 1) << 7 - (bit & 7));
      }
    }
  }

  private void unpack(byte[] from, int width, int first, int count) {
    int last = from.length - Long.BYTES;
    int bit = 0;
    int i = first;
    for (; i < first + count && bit >> 3 <= last; i++, bit += width) {
      low[i] = (long) LONGS.get(from, bit >> 3) << (bit & 7) >> Long.SIZE - width;
      high[i] = low[i] >> 63;
    }
    for (; i < first + count; i++) {
      long value = 0;
      for (int k = 0; k < width; k++, bit++) {
        value = value << 1 | from[bit >> 3] >> 7 - (bit & 7) & 1;
      }
      low[i] = value << Long.SIZE - width >> Long.SIZE - width;
      high[i] = low[i] >> 63;
    }
  }

  static PrefixSum of(PagedBytes bytes, int dimension) {
    long width = dimension == 0 ? Byte.SIZE : bytes.length() * Byte.SIZE / dimension;
    if (!isWidth(width, dimension) || bytes.length() != bytes(width, dimension)) {
      throw new IllegalArgumentException("a prefix of " + dimension
          + " coordinates takes up to 8, or 16, bytes for each, but there were " + bytes.length());
    }
    PrefixSum prefix = new PrefixSum(SPARE.any(dimension), SPARE.any(dimension));
    int at = 0;
    for (int page = 0; page < bytes.pages(); page++) {
      byte[] from = bytes.page(page);
      int count = (int) Math.min(dimension - at, (long) from.length * Byte.SIZE / width);
      if (width <= PACKED) {
        prefix.unpack(from, (int) width, at, count);
      } else {
        prefix.read(from, (int) width / Byte.SIZE, at, count);
      }
      at += count;
    }
    if (at != dimension) {
      throw new IllegalArgumentException(
          "the pages of a prefix have " + at + " of " + dimension + " coordinates");
    }
    return prefix;
  }

  private void read(byte[] from, int width, int first, int count) {
    for (int i = first, at = 0; i < first + count; i++, at += width) {
      low[i] = (long) LONGS.get(from, at + width - Long.BYTES);
      high[i] = width == Long.BYTES ? low[i] >> 63 : (long) LONGS.get(from, at);
    }
  }
}
