package dev.sotto.learner.optimizer.heavytail;

/**
 * What a clip costs and gains: bias of a mean of clipped vectors, and the tails beyond which to
 * clip. All of it serves utility; a clip that enters a mechanism must be public.
 */
public final class ClipRules {
  private ClipRules() {}

  /**
   * Lemma 6: {@code ||E mean - nu|| <= r_k^k / ((k - 1) C^(k - 1))}; 0 for norms below the clip.
   */
  public static double bias(Moments moments, double clip) {
    double k = moments.order();
    if (k == Double.POSITIVE_INFINITY) {
      return clip >= moments.moment() ? 0 : moments.moment() - clip;
    }
    return moments.moment() * StrictMath.pow(moments.moment() / clip, k - 1) / (k - 1);
  }

  /**
   * The share q of gradients that a good clip cuts, for one pass in some batches: C is the public
   * (1 - q)-quantile of norms. It balances {@code E (||g|| - C)_+} with noise that adds up as the
   * root of the batches.
   */
  public static double tail(BlockSize size, long batches) {
    return Math.sqrt(batches) / size.signal();
  }

  /** The same where the noise of each batch counts in full, as in {@code prox-clipped-sgd}. */
  public static double proximalTail(BlockSize size, long batches) {
    return batches / size.signal();
  }

  /** The same for a phase of {@code localized-erm} of a number of slots. */
  public static double localTail(BlockSize size, long phase) {
    return Math.sqrt(StrictMath.log(size.slots())) / size.of(phase).signal();
  }
}
