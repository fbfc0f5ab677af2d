package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.PagedBytes;

/** The state of a mechanism as it is stored: encrypted, and bound to the history before it. */
final class SealedNoise {
  private static final String NAME = "noise";

  private SealedNoise() {}

  /** Of a state after a round, whose running digest this is. */
  static PagedBytes close(PagedBytes open, NoiseKey key, byte[] digest, long round) {
    return SealedPages.close(open, new StateSeal(key, digest, round + 1), NAME);
  }

  /** The inverse of {@link #close}, under the key of {@link #keyOf}. */
  static PagedBytes open(PagedBytes closed, NoiseKey key, byte[] digest, long round) {
    return closed.pages() == 0
        ? closed
        : SealedPages.open(closed, new StateSeal(key, digest, round + 1), NAME);
  }

  /** One key for all pages: that it is the right one is known once a page has been opened. */
  static NoiseKey keyOf(PagedBytes closed, NoiseKey key) {
    String closedBy = closed.pages() == 0 ? "" : StateSeal.keyId(closed.page(0));
    return key.holds(closedBy) ? key.ofId(closedBy) : key;
  }
}
