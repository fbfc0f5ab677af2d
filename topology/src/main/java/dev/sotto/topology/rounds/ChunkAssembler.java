package dev.sotto.topology.rounds;

import java.util.Arrays;

/**
 * Bytes that travel in pieces which fit a broker's defaults, and are whole when all pieces are
 * there.
 */
final class ChunkAssembler {
  /** Of one record: 512 KiB. */
  static final int SIZE = 512 * 1024;

  private final byte[][] pieces;
  private int missing;

  ChunkAssembler(int count) {
    this.pieces = new byte[count][];
    this.missing = count;
  }

  static int count(int length) {
    return Math.max(1, (length + SIZE - 1) / SIZE);
  }

  static byte[] piece(byte[] whole, int index) {
    return whole.length <= SIZE
        ? whole
        : Arrays.copyOfRange(whole, index * SIZE, Math.min(whole.length, (index + 1) * SIZE));
  }

  /** Takes a piece; one that is there already stays. */
  void put(int index, byte[] bytes) {
    if (pieces[index] == null) {
      pieces[index] = bytes;
      missing--;
    }
  }

  boolean isWhole() {
    return missing == 0;
  }

  /** The bytes; the pieces are forgotten. */
  byte[] whole() {
    if (pieces.length == 1) {
      return pieces[0];
    }
    int length = 0;
    for (byte[] piece : pieces) {
      length = Math.addExact(length, piece.length);
    }
    byte[] whole = new byte[length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, whole, at, piece.length);
      at += piece.length;
    }
    return whole;
  }
}
