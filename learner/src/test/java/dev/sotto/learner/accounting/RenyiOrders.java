package dev.sotto.learner.accounting;

import java.util.function.DoubleUnaryOperator;

/**
 * The search for the best Renyi order. As (alpha - 1) epsilon(alpha) is convex, what is minimised
 * falls and then rises but for the logarithms in it; whatever order is found, its value is a valid
 * bound.
 */
final class RenyiOrders {
  private static final double FIRST = 0x1p-10;
  private static final double LAST = 0x1p40;
  private static final double RATIO = 1.189207115002721; // 2^(1/4)
  private static final int PATIENCE = 8;
  private static final double GOLDEN = 0.6180339887498949;

  private RenyiOrders() {}

  /**
   * The least value found for an order above 1: on a geometric grid of alpha - 1, then between its
   * points.
   */
  static double minimum(DoubleUnaryOperator value) {
    double best = Double.POSITIVE_INFINITY;
    double place = FIRST;
    int worse = 0;
    for (double above = FIRST; above < LAST && worse < PATIENCE; above *= RATIO) {
      double here = value.applyAsDouble(1 + above);
      if (here < best) {
        best = here;
        place = above;
        worse = 0;
      } else if (best < Double.POSITIVE_INFINITY) {
        worse++;
      }
    }
    return Math.min(best, between(value, place / RATIO, place * RATIO));
  }

  private static double between(DoubleUnaryOperator value, double low, double high) {
    double left = high - GOLDEN * (high - low);
    double right = low + GOLDEN * (high - low);
    double atLeft = value.applyAsDouble(1 + left);
    double atRight = value.applyAsDouble(1 + right);
    double best = Math.min(atLeft, atRight);
    for (int i = 0; i < 40; i++) {
      if (atLeft < atRight) {
        high = right;
        right = left;
        atRight = atLeft;
        left = high - GOLDEN * (high - low);
        atLeft = value.applyAsDouble(1 + left);
      } else {
        low = left;
        left = right;
        atLeft = atRight;
        right = low + GOLDEN * (high - low);
        atRight = value.applyAsDouble(1 + right);
      }
      best = Math.min(best, Math.min(atLeft, atRight));
    }
    return best;
  }
}
