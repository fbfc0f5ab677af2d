package dev.sotto.topology.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * What tells a page from an older one, from another's and from a damaged one: CRC-32C and CRC-32 of
 * each quarter of it. A hash would tell them from a page that somebody made up too. Whoever could
 * put that there can write the index as well, and what must not be made up is authenticated by its
 * encryption.
 */
final class PageChecksum {
  /** Bytes of a checksum. */
  static final int BYTES = 32;

  private static final int PARTS = 4;

  private PageChecksum() {}

  /** The checksum of a page. */
  static byte[] of(byte[] page) {
    ByteBuffer sums = ByteBuffer.allocate(BYTES);
    Checksum first = new CRC32C();
    Checksum second = new CRC32();
    int from = 0;
    for (int part = 1; part <= PARTS; part++) {
      int to = (int) ((long) page.length * part / PARTS);
      first.update(page, from, to - from);
      second.update(page, from, to - from);
      sums.putInt((int) first.getValue()).putInt((int) second.getValue());
      first.reset();
      second.reset();
      from = to;
    }
    return sums.array();
  }
}
