package dev.sotto.topology.fetch;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Bounds what Zstandard data decompresses to, by the heads of its blocks alone (RFC 8878, Frames):
 * a block holds at most 128 KiB.
 */
final class ZstdBlocks {
  private static final int FRAME = 0xFD2FB528;
  private static final int SKIPPABLE = 0x184D2A50; // and 15 more
  private static final int BLOCK = 128 << 10;
  private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};
  private static final int[] SIZE_BYTES = {0, 2, 4, 8};

  private ZstdBlocks() {}

  /**
   * At least as many bytes as come out; the largest number where the data is none of Zstandard.
   *
   * @param in little-endian; is read
   */
  static long mostBytes(ByteBuffer in) {
    try {
      long bytes = 0;
      while (in.hasRemaining()) {
        int magic = in.getInt();
        if (magic == FRAME) {
          bytes += frame(in);
        } else if ((magic & ~0xF) == SKIPPABLE) {
          skip(in, in.getInt());
        } else {
          return Long.MAX_VALUE;
        }
      }
      return bytes;
    } catch (BufferUnderflowException cut) {
      return Long.MAX_VALUE;
    }
  }

  private static long frame(ByteBuffer in) {
    int head = in.get() & 0xFF;
    boolean single = (head & 0x20) != 0;
    int size = head >> 6 == 0 && single ? 1 : SIZE_BYTES[head >> 6];
    skip(in, (single ? 0 : 1) + DICTIONARY_BYTES[head & 3] + size);
    long bytes = 0;
    boolean last = false;
    while (!last) {
      int block = in.getShort() & 0xFFFF | (in.get() & 0xFF) << 16;
      last = (block & 1) != 0;
      int type = block >> 1 & 3;
      boolean repeats = type == 1;
      bytes += Math.max(BLOCK, block >> 3);
      skip(in, repeats ? 1 : block >> 3);
    }
    skip(in, (head & 4) != 0 ? Integer.BYTES : 0);
    return bytes;
  }

  private static void skip(ByteBuffer in, int bytes) {
    if (bytes < 0 || bytes > in.remaining()) {
      throw new BufferUnderflowException();
    }
    in.position(in.position() + bytes);
  }
}
