package dev.sotto.learner.optimizer.heavytail;

/**
 * What {@link LocalizedErm} needs to know of the norms of gradients, with the largest norm over all
 * weights inside the expectation.
 *
 * @param once r_k and r_2
 * @param twice r_2k, at least r_k: the moment of twice the order
 * @param mean bound of the norm of the mean gradient, at most r_k
 */
public record LocalMoments(Moments once, double twice, double mean) {
  public LocalMoments {
    if (!(twice >= once.moment()) || twice == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("the moment of twice the order must be finite and at least"
          + " the moment " + once.moment() + ", but was " + twice);
    }
    if (!(mean > 0 && mean <= once.moment())) {
      throw new IllegalArgumentException("the bound of the mean gradient must be positive and at"
          + " most the moment " + once.moment() + ", but was " + mean);
    }
  }

  /** Where nothing better is known of the mean gradient. */
  public LocalMoments(Moments once, double twice) {
    this(once, twice, once.moment());
  }

  /** Of norms that are never larger. */
  public static LocalMoments bounded(double bound) {
    return new LocalMoments(Moments.bounded(bound), bound, bound);
  }
}
