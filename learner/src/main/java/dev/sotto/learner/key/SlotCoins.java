package dev.sotto.learner.key;

/**
 * Secret coins: at which points of a query each slot of a block takes part, every one with the same
 * probability and independently of all others. They follow from the noise key, from a seed that no
 * other query shares, and from the slot's place in its block, so that any part of a block can be
 * read anywhere, in any order, and again. Not safe for use by several threads.
 */
public final class SlotCoins {
  private static final int PAGE = 64; // slots that share a range of the counter; never change it

  private final byte[] key;
  private final int points;
  private final long threshold;
  private Keystream words; // null before the first slot
  private long page = -1;
  private long next; // slot of the page that the stream stands at

  /**
   * The coins of one query.
   *
   * @param noiseKey in force
   * @param seed of the query: it may be known, the key keeps the coins secret
   * @param points of the query, at least 1
   * @param rate probability of each coin, above 0 and below 1; coins are rounded down to multiples
   *     of 2^-63
   */
  public SlotCoins(NoiseKey noiseKey, byte[] seed, int points, double rate) {
    if (points < 1 || !(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("coins need at least 1 point and a rate between 0 and 1,"
          + " but there were " + points + " points and the rate was " + rate);
    }
    this.key = noiseKey.coinKey(seed);
    this.points = points;
    this.threshold = (long) (rate * 0x1p63); // exact or rounded down: rate has 53 bits
  }

  /**
   * Draws the coins of a slot.
   *
   * @param slot its place in the block, from 0
   * @param chosen becomes the points at which it takes part, in their order
   * @return how many these are
   */
  public int draw(long slot, int[] chosen) {
    goTo(slot);
    int count = 0;
    for (int point = 0; point < points; point++) {
      if (words.nextLong() >>> 1 < threshold) {
        chosen[count++] = point;
      }
    }
    next++;
    return count;
  }

  private void goTo(long slot) {
    if (slot / PAGE != page || slot < next) {
      if (words != null) {
        words.close();
      }
      page = slot / PAGE;
      next = page * PAGE;
      words = new Keystream(key, page, PAGE * points);
    }
    for (; next < slot; next++) {
      for (int point = 0; point < points; point++) {
        words.nextLong();
      }
    }
  }
}
