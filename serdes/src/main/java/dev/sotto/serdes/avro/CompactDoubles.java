package dev.sotto.serdes.avro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Doubles in as few bytes as they need, bit for bit. Means of noisy sums are whole multiples of one
 * small power of two: of a group of them only the multiples are written.
 *
 * <p>How many there are, 4 bytes; then groups of 1024 of them, the last one shorter. A group is a
 * byte w. If w is 0 all of the group are +0. From 1 to 6: the power's exponent in 2 bytes, and w
 * bytes for each multiple, with a sign. If w is 8 they are as {@link PackedDoubles} has them. All
 * numbers have their low byte first.
 */
public final class CompactDoubles {
  private static final int GROUP = 1024;
  private static final int COUNT = Integer.BYTES;
  private static final int EXPONENT = Short.BYTES;
  private static final int WIDEST = 6;
  private static final int RAW = Double.BYTES;
  /** Powers of two from 2^-1000 to 2^1000 and their inverses are exact. */
  private static final int FARTHEST = 1000;

  private static final int FRACTION_BITS = 52;
  private static final int NOT_FINITE = 0x7ff;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private CompactDoubles() {}

  /** How a group is written: bytes for each of its doubles, and the exponent of the power. */
  private record Form(int width, int exponent) {
    private static final Form ZEROS = new Form(0, 0);
    private static final Form AS_THEY_ARE = new Form(RAW, 0);

    static Form of(double[] values, int from, int to) {
      int lowest = Integer.MAX_VALUE;
      int highest = Integer.MIN_VALUE;
      for (int i = from; i < to; i++) {
        long bits = Double.doubleToRawLongBits(values[i]);
        if (bits != 0) {
          int exponent = (int) (bits >>> FRACTION_BITS) & NOT_FINITE;
          if (exponent == 0 || exponent == NOT_FINITE) {
            return AS_THEY_ARE; // -0, or less than the smallest normal number
          }
          int top = exponent - Double.MAX_EXPONENT;
          int zeros = Long.numberOfTrailingZeros(bits | 1L << FRACTION_BITS);
          lowest = Math.min(lowest, top - FRACTION_BITS + zeros);
          highest = Math.max(highest, top);
        }
      }
      if (lowest > highest) {
        return ZEROS;
      }
      int width = (highest - lowest + 1) / Byte.SIZE + 1; // and a sign
      return width > WIDEST || Math.abs(lowest) > FARTHEST ? AS_THEY_ARE : new Form(width, lowest);
    }

    int bytes(int count) {
      return 1 + (hasPower() ? EXPONENT : 0) + width * count;
    }

    boolean hasPower() {
      return width > 0 && width < RAW;
    }
  }

  /** {@code count} of them, from the one at {@code from}. */
  public static byte[] pack(double[] values, int from, int count) {
    Form[] forms = new Form[(count + GROUP - 1) / GROUP];
    int length = COUNT;
    for (int i = 0; i < forms.length; i++) {
      int first = from + i * GROUP;
      int last = Math.min(from + count, first + GROUP);
      forms[i] = Form.of(values, first, last);
      length = Math.addExact(length, forms[i].bytes(last - first));
    }
    byte[] bytes = new byte[length];
    LittleEndian.putInt(bytes, 0, count);
    int at = COUNT;
    for (int i = 0; i < forms.length; i++) {
      int first = from + i * GROUP;
      int last = Math.min(from + count, first + GROUP);
      write(values, first, last, forms[i], bytes, at);
      at += forms[i].bytes(last - first);
    }
    return bytes;
  }

  private static void write(double[] values, int from, int to, Form form, byte[] bytes, int start) {
    int at = start;
    bytes[at++] = (byte) form.width;
    if (form.width == RAW) {
      for (int i = from; i < to; i++, at += RAW) {
        LittleEndian.putDouble(bytes, at, values[i]);
      }
    } else if (form.hasPower()) {
      bytes[at++] = (byte) form.exponent;
      bytes[at++] = (byte) (form.exponent >> Byte.SIZE);
      double perPower = Math.scalb(1.0, -form.exponent);
      for (int i = from; i < to; i++, at += form.width) {
        put(bytes, at, form.width, (long) (values[i] * perPower));
      }
    }
  }

  /** What follows overwrites bytes that are too many. */
  private static void put(byte[] bytes, int at, int width, long value) {
    if (at <= bytes.length - Long.BYTES) {
      LONGS.set(bytes, at, value);
    } else {
      for (int i = 0; i < width; i++) {
        bytes[at + i] = (byte) (value >> i * Byte.SIZE);
      }
    }
  }

  /** How many doubles there are in what {@link #pack} gave. */
  public static int count(byte[] bytes) {
    int count = bytes.length < COUNT ? -1 : LittleEndian.getInt(bytes, 0);
    if (count < 0) {
      throw damaged(bytes);
    }
    return count;
  }

  /**
   * Writes all of them from a place on.
   *
   * @throws IllegalArgumentException where the bytes are not what {@link #pack} gives
   */
  public static void unpack(byte[] bytes, double[] into, int place) {
    int end = place + count(bytes);
    int at = COUNT;
    for (int first = place; first < end; first += GROUP) {
      int last = Math.min(end, first + GROUP);
      at = read(bytes, at, into, first, last);
    }
    if (at != bytes.length) {
      throw damaged(bytes);
    }
  }

  private static int read(byte[] bytes, int start, double[] into, int from, int to) {
    int width = start < bytes.length ? bytes[start] : -1;
    boolean known = width >= 0 && width <= WIDEST || width == RAW;
    Form form = new Form(width, 0);
    if (!known || form.bytes(to - from) > bytes.length - start) {
      throw damaged(bytes);
    }
    int at = start + 1;
    if (width == 0) {
      Arrays.fill(into, from, to, 0);
    } else if (width == RAW) {
      PackedDoubles.unpack(bytes, at, into, from, to - from);
    } else {
      int exponent = bytes[at] & 0xff | bytes[at + 1] << Byte.SIZE;
      if (Math.abs(exponent) > FARTHEST) {
        throw damaged(bytes);
      }
      at += EXPONENT;
      double power = Math.scalb(1.0, exponent);
      for (int i = from; i < to; i++, at += width) {
        into[i] = get(bytes, at, width) * power;
      }
    }
    return start + form.bytes(to - from);
  }

  private static long get(byte[] bytes, int at, int width) {
    if (at <= bytes.length - Long.BYTES) {
      int rest = Long.SIZE - width * Byte.SIZE;
      return (long) LONGS.get(bytes, at) << rest >> rest;
    }
    long value = bytes[at + width - 1]; // with its sign
    for (int i = width - 2; i >= 0; i--) {
      value = value << Byte.SIZE | bytes[at + i] & 0xff;
    }
    return value;
  }

  private static IllegalArgumentException damaged(byte[] bytes) {
    return new IllegalArgumentException(
        "these " + bytes.length + " bytes are no doubles in their compact form");
  }
}
