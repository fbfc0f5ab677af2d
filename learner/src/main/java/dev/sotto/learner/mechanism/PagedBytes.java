package dev.sotto.learner.mechanism;

/**
 * An array of bytes cut into pages, each of which is made or fetched when it is asked for, so that
 * a large array is never whole on the heap.
 */
public interface PagedBytes {
  /**
   * The size of a page where nothing else is asked for: well below what a broker takes as one
   * record by default.
   */
  int PAGE_BYTES = 256 * 1024;

  /** Bytes in all pages together. */
  long length();

  /** How many pages there are; none where the array is empty. */
  int pages();

  /** The bytes of one page, from 0; not to be changed. */
  byte[] page(int page);

  /** An array that lies on the heap, as one page; none where it is empty. */
  static PagedBytes of(byte[] whole) {
    return new HeapPages(whole.length == 0 ? new byte[0][] : new byte[][] {whole});
  }

  /** The same bytes in the same pages, on the heap. */
  default PagedBytes copy() {
    byte[][] all = new byte[pages()][];
    for (int page = 0; page < all.length; page++) {
      all[page] = page(page).clone();
    }
    return new HeapPages(all);
  }

  /** All bytes in one array. */
  default byte[] join() {
    byte[] whole = new byte[Math.toIntExact(length())];
    int done = 0;
    for (int page = 0; page < pages(); page++) {
      byte[] next = page(page);
      System.arraycopy(next, 0, whole, done, next.length);
      done += next.length;
    }
    return whole;
  }
}
