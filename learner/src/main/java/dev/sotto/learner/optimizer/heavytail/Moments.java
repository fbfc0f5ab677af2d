package dev.sotto.learner.optimizer.heavytail;

/**
 * What is publicly known of the norms of gradients. Utility alone rests on it.
 *
 * @param order k, at least 2; infinite where norms have a bound, which is the moment then
 * @param moment r_k, the k-th root of the largest k-th moment; positive
 * @param second r_2, at most r_k
 */
public record Moments(double order, double moment, double second) {
  public Moments {
    if (!(order >= 2)) {
      throw new IllegalArgumentException("order must be at least 2, but was " + order);
    }
    if (!(moment > 0) || moment == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("moment must be positive and finite, but was " + moment);
    }
    if (!(second > 0 && second <= moment)) {
      throw new IllegalArgumentException(
          "second must be positive and at most the moment " + moment + ", but was " + second);
    }
  }

  /** Of norms that are never larger. */
  public static Moments bounded(double bound) {
    return new Moments(Double.POSITIVE_INFINITY, bound, bound);
  }

  /** 1 / k: 0 for a bound. */
  double inverse() {
    return 1 / order;
  }
}
