package dev.sotto.learner.release;

import java.util.function.LongSupplier;

/** Pages that are made from what changes with each round: they refuse to be those of another one. */
record PresentPages(Paged source, long round, LongSupplier now) implements Paged {
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
