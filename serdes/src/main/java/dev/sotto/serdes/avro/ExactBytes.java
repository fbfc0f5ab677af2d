package dev.sotto.serdes.avro;

import java.io.OutputStream;
import java.util.Objects;

/**
 * A stream that counts, and keeps what is written where it has an array of the right length for it.
 */
final class ExactBytes extends OutputStream {
  private byte[] bytes;
  private int count;

  ExactBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public void write(int b) {
    if (bytes != null) {
      bytes[count] = (byte) b;
    }
    count = Math.addExact(count, 1);
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, from.length);
    if (bytes != null) {
      System.arraycopy(from, offset, bytes, count, length);
    }
    count = Math.addExact(count, length);
  }

  int count() {
    return count;
  }

  /**
   * Gives the array away: Avro keeps the last stream of each thread, which must not keep 16 MB
   * alive.
   */
  byte[] take() {
    byte[] taken = bytes;
    bytes = null;
    return taken;
  }
}
