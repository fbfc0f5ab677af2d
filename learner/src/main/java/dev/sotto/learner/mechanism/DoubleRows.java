package dev.sotto.learner.mechanism;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.List;

/**
 * A short head, then rows of doubles of one length, big-endian, one after the other. The first page
 * begins with the head; all but the last hold the same number of doubles.
 */
public final class DoubleRows implements PagedBytes {
  private final byte[] head;
  private final List<double[]> rows;
  private final long width;
  private final int perPage;

  /** Rows as they are when a page is asked for. */
  public DoubleRows(byte[] head, List<double[]> rows, int pageBytes) {
    this.head = head;
    this.rows = rows;
    this.width = rows.isEmpty() ? 0 : rows.get(0).length;
    this.perPage = Math.max(1, pageBytes / Double.BYTES);
  }

  private long doubles() {
    return rows.size() * width;
  }

  @Override
  public long length() {
    return head.length + Double.BYTES * doubles();
  }

  @Override
  public int pages() {
    return Math.toIntExact(Math.max(1, (doubles() + perPage - 1) / perPage));
  }

  @Override
  public byte[] page(int page) {
    long from = (long) page * perPage;
    int count = (int) Math.min(perPage, doubles() - from);
    int start = page == 0 ? head.length : 0;
    ByteBuffer bytes = ByteBuffer.allocate(start + Double.BYTES * count);
    bytes.put(head, 0, start);
    DoubleBuffer into = bytes.slice().asDoubleBuffer();
    while (into.hasRemaining()) {
      double[] row = rows.get((int) (from / width));
      int at = (int) (from % width);
      int length = Math.min(into.remaining(), row.length - at);
      into.put(row, at, length);
      from += length;
    }
    return bytes.array();
  }

  /** The first bytes of what was written, or as many as there are. */
  public static byte[] head(PagedBytes state, int length) {
    byte[] first = state.pages() == 0 ? new byte[0] : state.page(0);
    return java.util.Arrays.copyOf(first, Math.min(length, first.length));
  }

  /** Fills rows from what was written behind a head; it must hold just as much. */
  public static void read(PagedBytes state, int head, List<double[]> rows) {
    int row = 0;
    int at = 0;
    for (int page = 0; page < state.pages(); page++) {
      byte[] bytes = state.page(page);
      int start = page == 0 ? head : 0;
      DoubleBuffer from =
          ByteBuffer.wrap(bytes, start, bytes.length - start).slice().asDoubleBuffer();
      if ((bytes.length - start) % Double.BYTES != 0) {
        throw new IllegalArgumentException(
            "a page of doubles must hold a multiple of 8 bytes, but page " + page + " held "
                + (bytes.length - start));
      }
      while (from.hasRemaining()) {
        double[] into = rows.get(row);
        int length = Math.min(from.remaining(), into.length - at);
        from.get(into, at, length);
        at += length;
        if (at == into.length) {
          at = 0;
          row++;
        }
      }
    }
    if (row < rows.size()) {
      throw new IllegalArgumentException(
          "the pages end in row " + row + " of " + rows.size() + ", at " + at);
    }
  }
}
