package dev.sotto.learner.range;

/**
 * Neighbouring bins of noisy counts.
 *
 * @param from the first
 * @param to one past the last
 * @param sum of their counts
 */
record BinWindow(int from, int to, double sum) {
  /** How many standard deviations of its noise a sum must be to stand out of it. */
  static final double SIGNIFICANT = 4;

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
    double[] sums = new double[end - first + 1]; // of all bins before
    for (int i = first; i < end; i++) {
      sums[i - first + 1] = sums[i - first] + counts[i];
    }
    BinWindow best = null;
    double most = Double.NEGATIVE_INFINITY;
    for (int length = 1; length <= end - first; length++) {
      double root = Math.sqrt(length);
      double divisor = fourthRoot ? Math.sqrt(root) : root;
      for (int from = first; from + length <= end; from++) {
        double sum = sums[from - first + length] - sums[from - first];
        if (sum / divisor > most) {
          most = sum / divisor;
          best = new BinWindow(from, from + length, sum);
        }
      }
    }
    return best;
  }

  /** How many standard deviations of its noise its sum is. */
  double deviations(double sigma) {
    return sum / (Math.max(sigma, Double.MIN_NORMAL) * Math.sqrt(length())); // none: no noise
  }

  /** One bin wider at either end, inside some bounds. */
  BinWindow wider(int first, int end) {
    return new BinWindow(Math.max(first, from - 1), Math.min(end, to + 1), sum);
  }
}
