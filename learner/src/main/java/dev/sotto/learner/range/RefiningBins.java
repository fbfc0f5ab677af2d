package dev.sotto.learner.range;

/**
 * The second and the third stage: 16 bins over the range that is known, half its width more on
 * either side, and a bin below and above.
 *
 * @param before the range that is known
 * @param low where the bins begin, that below apart
 * @param width of a bin
 */
record RefiningBins(NumberRange before, double low, double width) {
  private static final int INNER = 16;
  private static final double TAIL = 0.1; // of the counts lies below lo, and above hi
  private static final double SHARE_OF_A_NEAR_ONE = 1 / 2.5;

  /** How many bins there are. */
  static final int COUNT = INNER + 2;

  static RefiningBins around(NumberRange before) {
    double width = before.hi() - before.lo();
    return new RefiningBins(before, before.lo() - width / 2, 2 * width / INNER);
  }

  /** The bin of a finite number. */
  int of(double x) {
    double place = (x - low) / width;
    return place < 0 ? 0 : place >= INNER ? COUNT - 1 : 1 + (int) place;
  }

  /** Where a bin begins; the outer ones are as wide as the others. */
  private double edge(double bin) {
    return low + (bin - 1) * width;
  }

  /**
   * What noisy counts show of a number.
   *
   * @param last whether it is the last stage, in which ranges that differ little are averaged
   */
  NumberRange range(double[] counts, double sigma, boolean last) {
    BinWindow best = BinWindow.best(counts, 0, COUNT, true);
    if (!(best.deviations(sigma) >= BinWindow.SIGNIFICANT)) {
      return before;
    }
    BinWindow wider = best.wider(0, COUNT);
    double lo = edge(point(counts, wider.from(), wider.to(), 1));
    double hi = edge(point(counts, wider.to() - 1, wider.from() - 1, -1) + 1);
    if (hi - lo < width) {
      double middle = (lo + hi) / 2;
      lo = middle - width / 2;
      hi = middle + width / 2;
    }
    if (best.from() == 0 || best.to() == COUNT) { // how far an outer bin reaches is not known
      lo = Math.min(lo, before.lo());
      hi = Math.max(hi, before.hi());
    }
    if (last && hi - lo > SHARE_OF_A_NEAR_ONE * (before.hi() - before.lo())) {
      lo = (lo + before.lo()) / 2;
      hi = (hi + before.hi()) / 2;
    }
    return lo < hi && Double.isFinite(hi - lo) ? NumberRange.of(lo, hi) : before;
  }

  /**
   * Where the running maximum of the cumulative sums reaches a tenth of its last value, as a
   * fraction of bins.
   *
   * @param end the bin behind the last one, in the direction of the step
   */
  private static double point(double[] counts, int first, int end, int step) {
    double all = 0;
    double sum = 0;
    for (int i = first; i != end; i += step) {
      sum += counts[i];
      all = Math.max(all, sum);
    }
    double most = 0;
    sum = 0;
    for (int i = first; i != end; i += step) {
      sum += counts[i];
      if (sum >= TAIL * all && sum > most) {
        double within = (TAIL * all - most) / (sum - most);
        return i + step * within;
      }
      most = Math.max(most, sum);
    }
    return end;
  }
}
