package dev.sotto.serdes.avro;

import dev.sotto.serdes.record.Samples;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/**
 * Damaged copies of good bytes; the header is mostly spared, so that the damage reaches the body.
 */
public final class Mutations {
  private static final byte[][] NUMBERS = {
    {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F}, // 2^31 - 1
    {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F}, // -2^31
    {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x08}, // 2^30
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // -2^63
    {-2, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // 2^63 - 1
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // overlong
    {0, 0, 0, 0, 0, 0, (byte) 0xF0, 0x7F}, // infinity
    {0, 0, 0, 0, 0, 0, (byte) 0xF8, 0x7F}, // NaN
    {-1, -1, -1, -1, -1, -1, (byte) 0xEF, 0x7F}, // the largest double
    {0}
  };

  private Mutations() {}

  public static byte[] of(byte[] good, Random random) {
    byte[] bytes = good;
    for (int i = 0; i <= random.nextInt(3); i++) {
      bytes = once(bytes, random);
    }
    return bytes;
  }

  private static byte[] once(byte[] good, Random random) {
    int least = random.nextInt(20) == 0 ? 0 : Math.min(SingleObject.HEADER, good.length);
    int at = least + random.nextInt(good.length - least + 1);
    int to = Math.min(good.length, at + random.nextInt(12));
    byte[] number = NUMBERS[random.nextInt(NUMBERS.length)];
    return switch (random.nextInt(7)) {
      case 0 -> flipped(good, at, random);
      case 1 -> Arrays.copyOf(good, at);
      case 2 -> Arrays.copyOf(good, good.length + random.nextInt(20));
      case 3 -> spliced(good, at, Samples.bytes(random, random.nextInt(12)), to);
      case 4 -> spliced(good, at, number, at);
      case 5 -> spliced(good, at, number, Math.min(good.length, at + number.length));
      default -> spliced(good, at, Arrays.copyOfRange(good, at, to), at);
    };
  }

  private static byte[] flipped(byte[] good, int at, Random random) {
    byte[] bytes = good.clone();
    if (at < bytes.length) {
      bytes[at] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private static byte[] spliced(byte[] good, int at, byte[] middle, int from) {
    var bytes = new ByteArrayOutputStream();
    bytes.write(good, 0, at);
    bytes.writeBytes(middle);
    bytes.write(good, from, good.length - from);
    return bytes.toByteArray();
  }
}
