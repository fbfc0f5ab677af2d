package dev.sotto.learner.range;

/**
 * Neighbouring bins of noisy counts.
 *
 * @param from the first
 * @param to one past the last
 * @param sum of their counts
 */
record BinWindow(int from, int to, double sum) {
  private static final double SIGNIFICANT = 4; // standard deviations of its noise

  int length() {
    return to - from;
  }

  /**
   * The window whose sum over a root of its length is largest; of equal ones the shortest, and of
   * these the lowest.
   *
   * @param first of the bins to look at
   * @param end one past the last of them
   * @param fourthRoot whether the length counts by its fourth root, or else by its square root
   */
  static BinWindow best(double[] counts, int first, int end, boolean fourthRoot) {
    BinWindow best = null;
    double most = Double.NEGATIVE_INFINITY;
    for (int length = 1; length <= end - first; length++) {
      double root = Math.sqrt(length);
      double divisor = fourthRoot ? Math.sqrt(root) : root;
      for (int from = first; from + length <= end; from++) {
        double sum = 0;
        for (int i = from; i < from + length; i++) {
          sum += counts[i];
        }
        if (sum / divisor > most) {
          most = sum / divisor;
          best = new BinWindow(from, from + length, sum);
        }
      }
    }
    return best;
  }

  /** Whether its sum stands out of the noise. */
  boolean isSignificant(double sigma) {
    return sum >= SIGNIFICANT * sigma * Math.sqrt(length());
  }

  /** One bin wider at either end, inside some bounds. */
  BinWindow wider(int first, int end) {
    return new BinWindow(Math.max(first, from - 1), Math.min(end, to + 1), sum);
  }
}
