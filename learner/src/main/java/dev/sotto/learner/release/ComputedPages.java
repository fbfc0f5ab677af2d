package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.PagedBytes;
import java.util.function.LongSupplier;

/**
 * Pages that are made from what changes with each round: they refuse to be those of another one.
 */
record ComputedPages(PagedBytes source, long round, LongSupplier now) implements PagedBytes {
  @Override
  public long length() {
    return source.length();
  }

  @Override
  public int pages() {
    return source.pages();
  }

  @Override
  public byte[] page(int page) {
    if (now.getAsLong() != round) {
      throw new IllegalStateException("a view of round " + round + " was read after round "
          + now.getAsLong() + " was released");
    }
    return source.page(page);
  }
}
