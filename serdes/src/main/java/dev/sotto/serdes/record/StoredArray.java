package dev.sotto.serdes.record;

import java.util.Arrays;

/**
 * An array of a state, as its pages are stored.
 *
 * @param name its name in the keys of its pages
 * @param length bytes in all its pages together
 * @param hashes what tells each page as it is stored, 32 bytes, one after the other
 */
public record StoredArray(String name, long length, byte[] hashes) {
  private static final int HASH = 32;

  public StoredArray {
    if (length < 0 || hashes.length % HASH != 0 || (length == 0) != (hashes.length == 0)) {
      throw new IllegalArgumentException("array " + name + " of " + length
          + " bytes must have a hash of 32 bytes a page, but has " + hashes.length + " bytes");
    }
  }

  /** How many pages there are. */
  public int pages() {
    return hashes.length / HASH;
  }

  /** Whether a page, from 0, is there and has this hash. */
  public boolean has(int page, byte[] hash) {
    int from = page * HASH;
    return page < pages() && Arrays.equals(hashes, from, from + HASH, hash, 0, hash.length);
  }
}
