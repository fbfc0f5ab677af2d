package dev.sotto.topology.store;

import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.serdes.avro.CompactDoubles;
import dev.sotto.serdes.avro.PackedDoubles;

/** Doubles in pages, made when they are asked for. */
record PagedDoubles(double[] values, int perPage, boolean compact) implements PagedBytes {
  /** Compact pages. Where there is nothing to write, older programs can read what says so. */
  static PagedDoubles of(double[] values, int pageBytes) {
    return new PagedDoubles(values, Math.max(1, pageBytes / Double.BYTES), values.length > 0);
  }

  static double[] read(PagedBytes pages, boolean compact) {
    return compact ? readCompact(pages) : readPacked(pages);
  }

  private static double[] readPacked(PagedBytes pages) {
    double[] values = new double[Math.toIntExact(pages.length() / Double.BYTES)];
    int at = 0;
    for (int page = 0; page < pages.pages(); page++) {
      byte[] bytes = pages.page(page);
      int count = bytes.length / Double.BYTES;
      PackedDoubles.unpack(bytes, 0, values, at, count);
      at += count;
    }
    return values;
  }

  private static double[] readCompact(PagedBytes pages) {
    byte[][] all = new byte[pages.pages()][];
    int count = 0;
    for (int page = 0; page < all.length; page++) {
      all[page] = pages.page(page);
      count = Math.addExact(count, CompactDoubles.count(all[page]));
    }
    double[] values = new double[count];
    int at = 0;
    for (byte[] page : all) {
      CompactDoubles.unpack(page, values, at);
      at += CompactDoubles.count(page);
    }
    return values;
  }

  @Override
  public long length() {
    long bytes = 0;
    for (int page = 0; page < pages(); page++) {
      bytes += page(page).length;
    }
    return bytes;
  }

  @Override
  public int pages() {
    return Math.toIntExact(((long) values.length + perPage - 1) / perPage);
  }

  @Override
  public byte[] page(int page) {
    int from = page * perPage;
    int count = Math.min(perPage, values.length - from);
    return compact
        ? CompactDoubles.pack(values, from, count)
        : PackedDoubles.pack(values, from, count);
  }
}
