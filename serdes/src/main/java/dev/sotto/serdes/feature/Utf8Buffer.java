package dev.sotto.serdes.feature;

import dev.sotto.serdes.text.SpecialBytes;
import java.util.Arrays;

/** A growing array of bytes that texts are written into as UTF-8, without making a String. */
final class Utf8Buffer {
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private final byte[] digits = new byte[20];
  private byte[] bytes = new byte[256];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  /** The buffer; only the first {@link #size()} bytes count. */
  byte[] bytes() {
    return bytes;
  }

  void put(int oneByte) {
    room(1);
    bytes[size++] = (byte) oneByte;
  }

  void put(byte[] from, int start, int length) {
    room(length);
    SpecialBytes.copy(from, start, bytes, size, length);
    size += length;
  }

  /** The decimal digits, after a minus sign where there is one. */
  void putDecimal(long number) {
    int first = digits.length;
    long rest = number;
    do { // the remainder of a negative number is negative, so that Long.MIN_VALUE works as well
      digits[--first] = HEX[(int) Math.abs(rest % 10)];
      rest /= 10;
    } while (rest != 0);
    if (number < 0) {
      digits[--first] = '-';
    }
    put(digits, first, digits.length - first);
  }

  /** 16 hexadecimal digits, the highest first. */
  void putHex(long bits) {
    room(16);
    for (int shift = 60; shift >= 0; shift -= 4) {
      bytes[size++] = HEX[(int) (bits >>> shift) & 15];
    }
  }

  /** The UTF-8 bytes; half of a surrogate pair becomes '?', as {@code String.getBytes} has it. */
  void putUtf8(char[] from, int start, int length) {
    room(3L * length);
    int end = start + length;
    for (int i = start; i < end; i++) {
      char c = from[i];
      if (c < 0x80) {
        bytes[size++] = (byte) c;
      } else if (c < 0x800) {
        bytes[size++] = (byte) (0xC0 | c >> 6);
        bytes[size++] = (byte) (0x80 | c & 0x3F);
      } else if (!Character.isSurrogate(c)) {
        bytes[size++] = (byte) (0xE0 | c >> 12);
        bytes[size++] = (byte) (0x80 | c >> 6 & 0x3F);
        bytes[size++] = (byte) (0x80 | c & 0x3F);
      } else if (i + 1 < end && Character.isSurrogatePair(c, from[i + 1])) {
        int point = Character.toCodePoint(c, from[++i]);
        bytes[size++] = (byte) (0xF0 | point >> 18);
        bytes[size++] = (byte) (0x80 | point >> 12 & 0x3F);
        bytes[size++] = (byte) (0x80 | point >> 6 & 0x3F);
        bytes[size++] = (byte) (0x80 | point & 0x3F);
      } else {
        bytes[size++] = '?';
      }
    }
  }

  private void room(long more) {
    long wanted = size + more;
    if (wanted > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(wanted, Math.min(2L * size, 1 << 30))));
    }
  }
}
