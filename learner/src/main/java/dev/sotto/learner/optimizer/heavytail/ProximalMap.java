package dev.sotto.learner.optimizer.heavytail;

/**
 * The proximal map of {@code l1 ||w||_1 + (ridge / 2) ||w - c||^2} over the box [-limit, limit]^d:
 * exact, coordinate by coordinate.
 *
 * @param l1 at least 0 and finite
 * @param ridge at least 0 and finite
 * @param limit positive; infinite for no box
 */
public record ProximalMap(double l1, double ridge, double limit) {
  public ProximalMap {
    if (!(l1 >= 0 && ridge >= 0) || l1 + ridge == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "l1 and ridge must be at least 0 and finite, but were " + l1 + " and " + ridge);
    }
    if (!(limit > 0)) {
      throw new IllegalArgumentException("limit must be positive, but was " + limit);
    }
  }

  /**
   * Moves a point to the minimum of {@code ||y - point||^2 / (2 eta)} and the function.
   *
   * @param center c
   */
  void apply(double[] point, double eta, double[] center) {
    double shrink = 1 + eta * ridge;
    double threshold = eta * l1 / shrink;
    double most = Math.min(limit, Double.MAX_VALUE);
    for (int i = 0; i < point.length; i++) {
      double drawn = (point[i] + eta * ridge * center[i]) / shrink;
      double soft = Math.max(0, Math.abs(drawn) - threshold);
      point[i] = Math.copySign(Math.min(most, soft), drawn);
    }
  }

  String describe() {
    return "l1=" + Double.toHexString(l1) + " ridge=" + Double.toHexString(ridge) + " limit="
        + Double.toHexString(limit);
  }
}
