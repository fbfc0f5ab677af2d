package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.PagedBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An array whose pages are closed, or opened, one at a time. Each is bound to its number and to how
 * many there are, so that none can be moved, left out or added.
 */
final class SealedPages implements PagedBytes {
  private final PagedBytes pages;
  private final StateSeal seal;
  private final String purpose;
  private final boolean closing;
  private byte[] first; // opened page 0, which is asked for twice: for its head, then for its rows

  private SealedPages(PagedBytes pages, StateSeal seal, String purpose, boolean closing) {
    this.pages = pages;
    this.seal = seal;
    this.purpose = purpose;
    this.closing = closing;
  }

  /** The pages, closed. */
  static PagedBytes close(PagedBytes plain, StateSeal seal, String purpose) {
    return new SealedPages(plain, seal, purpose, true);
  }

  /** The pages that were closed for the same purpose. */
  static PagedBytes open(PagedBytes closed, StateSeal seal, String purpose) {
    return new SealedPages(closed, seal, purpose, false);
  }

  @Override
  public long length() {
    long overhead = (long) StateSeal.OVERHEAD * pages.pages();
    return pages.length() + (closing ? overhead : -overhead);
  }

  @Override
  public int pages() {
    return pages.pages();
  }

  @Override
  public byte[] page(int page) {
    byte[] place = place(purpose, page, pages.pages());
    if (closing) {
      return seal.close(pages.page(page), place);
    }
    byte[] known = page == 0 ? first : null;
    byte[] open = known == null ? seal.open(pages.page(page), place) : known;
    first = page == 0 && known == null ? open : null;
    return open;
  }

  /** What binds a page. */
  static byte[] place(String purpose, int page, int pages) {
    byte[] name = purpose.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(4 + name.length + 8)
        .putInt(name.length)
        .put(name)
        .putInt(page)
        .putInt(pages)
        .array();
  }
}
