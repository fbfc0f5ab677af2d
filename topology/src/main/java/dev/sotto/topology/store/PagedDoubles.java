package dev.sotto.topology.store;

import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.serdes.avro.PackedDoubles;

/** Doubles in pages: 8 bytes each, low byte first, made when they are asked for. */
record PagedDoubles(double[] values, int perPage) implements PagedBytes {
  static PagedBytes of(double[] values, int pageBytes) {
    return new PagedDoubles(values, Math.max(1, pageBytes / Double.BYTES));
  }

  static double[] read(PagedBytes pages) {
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

  @Override
  public long length() {
    return (long) Double.BYTES * values.length;
  }

  @Override
  public int pages() {
    return Math.toIntExact(((long) values.length + perPage - 1) / perPage);
  }

  @Override
  public byte[] page(int page) {
    int from = page * perPage;
    return PackedDoubles.pack(values, from, Math.min(perPage, values.length - from));
  }
}
