package dev.sotto.replay;

/**
 * The area under the ROC curve: how often a one was given a larger probability than a zero, where
 * equal ones count half. Probabilities are told apart as far as their log-odds differ by 1/4096,
 * and up to odds of e^16.
 */
final class RankedScores {
  private static final int HALF = 1 << 16;
  private static final double PER_UNIT = 4096;

  private long[][] counts; // by class, in the order of log-odds; made with the first

  /** Takes the probability of a one, and whether it is one. */
  void add(double probability, boolean one) {
    if (Double.isNaN(probability)) {
      return;
    }
    counts = counts == null ? new long[2][2 * HALF + 1] : counts;
    double odds = Math.log(probability / (1 - probability)) * PER_UNIT;
    int place = HALF + (int) Math.round(Math.max(-HALF, Math.min(HALF, odds)));
    counts[one ? 1 : 0][place]++;
  }

  /** The area; NaN where one of the classes is missing. */
  double area() {
    if (counts == null) {
      return Double.NaN;
    }
    double below = 0; // zeros
    double pairs = 0;
    double ones = 0;
    for (int i = 0; i < counts[0].length; i++) {
      pairs += counts[1][i] * (below + counts[0][i] / 2.0);
      below += counts[0][i];
      ones += counts[1][i];
    }
    return pairs / (below * ones);
  }
}
