package dev.sotto.learner.mechanism;

/** Pages on the heap. */
record HeapPages(byte[][] all) implements PagedBytes {
  @Override
  public long length() {
    long length = 0;
    for (byte[] page : all) {
      length += page.length;
    }
    return length;
  }

  @Override
  public int pages() {
    return all.length;
  }

  @Override
  public byte[] page(int page) {
    return all[page];
  }
}
