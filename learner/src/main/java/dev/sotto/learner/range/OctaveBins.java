package dev.sotto.learner.range;

import java.util.Arrays;

/**
 * The first stage: a bin for each octave of either sign from 2^-40 to 2^41, and one for zero
 * between them, in the order of values.
 */
final class OctaveBins {
  private static final int LEAST = -40;
  private static final int MOST = 40;
  private static final int OCTAVES = MOST - LEAST + 1;
  private static final int ZERO = OCTAVES;
  private static final double TAIL = 0.1; // of the counts lies below lo, and above hi

  /**
   * Among all windows of a sign whose values do not occur, noise alone is above 4 in one of 70
   * draws (above 5 in one of some thousands), and such a window may lie at any magnitude. So the
   * weaker of two signs must stand out more.
   */
  private static final double SIGNIFICANT_OF_WEAKER = 5;

  /** How many bins there are. */
  static final int COUNT = 2 * OCTAVES + 1;

  private OctaveBins() {}

  /** The bin of a finite number; what lies beyond the octaves is in the last of its sign. */
  static int of(double x) {
    double size = Math.abs(x);
    if (size < StrictMath.scalb(1.0, LEAST)) {
      return ZERO;
    }
    int octave = Math.min(MOST, Math.getExponent(size)) - LEAST;
    return x < 0 ? ZERO - 1 - octave : ZERO + 1 + octave;
  }

  /** Where a bin begins. */
  private static double edge(int bin) {
    return bin <= ZERO
        ? -StrictMath.scalb(1.0, LEAST + ZERO - bin)
        : StrictMath.scalb(1.0, LEAST + bin - ZERO - 1);
  }

  /** What noisy counts show of a number. */
  static NumberRange range(double[] counts, double sigma) {
    double[] kept = new double[COUNT];
    BinWindow below = BinWindow.best(counts, 0, ZERO, false);
    BinWindow above = BinWindow.best(counts, ZERO + 1, COUNT, false);
    boolean stronger = above.deviations(sigma) >= below.deviations(sigma);
    BinWindow first = stronger ? above : below;
    BinWindow second = stronger ? below : above;
    boolean zero = counts[ZERO] > 0 && counts[ZERO] >= BinWindow.SIGNIFICANT * sigma;
    if (!(first.deviations(sigma) >= BinWindow.SIGNIFICANT)) {
      return zero ? NumberRange.ATOM : NumberRange.UNKNOWN;
    }
    keep(first, counts, kept);
    if (second.deviations(sigma) >= SIGNIFICANT_OF_WEAKER) {
      keep(second, counts, kept);
    }
    kept[ZERO] = zero ? counts[ZERO] : 0;
    double all = Arrays.stream(kept).sum();
    return NumberRange.of(point(kept, TAIL * all), point(kept, (1 - TAIL) * all));
  }

  /** Keeps a window, and one bin more of its sign at either end. */
  private static void keep(BinWindow window, double[] counts, double[] kept) {
    BinWindow wider = window.from() < ZERO ? window.wider(0, ZERO) : window.wider(ZERO + 1, COUNT);
    for (int i = wider.from(); i < wider.to(); i++) {
      kept[i] = Math.max(0, counts[i]);
    }
  }

  /** The value below which there are as many counts as these. */
  private static double point(double[] kept, double below) {
    double sum = 0;
    int last = 0;
    for (int i = 0; i < COUNT; i++) {
      if (kept[i] > 0) {
        if (sum + kept[i] >= below) {
          return edge(i) + (below - sum) / kept[i] * (edge(i + 1) - edge(i));
        }
        sum += kept[i];
        last = i;
      }
    }
    return edge(last + 1); // by rounding alone
  }
}
