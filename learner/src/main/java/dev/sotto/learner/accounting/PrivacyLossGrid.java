package dev.sotto.learner.accounting;

import java.util.Arrays;

/**
 * A distribution of privacy losses on spacing * Z, spacing a power of two, that bounds another from
 * above or below: for every epsilon, the expectation of (1 - e^(epsilon - loss))+, which is delta,
 * is at least (at most) the other's.
 *
 * <p>A grid gets coarser as its losses spread (Ghazi, Kamath, Kumar and Manurangsi 2022, "Faster
 * Privacy Accounting via Evolving Discretization"), so sums of any number stay small.
 *
 * <p>Everything done to a grid keeps its side: mass moves to a higher loss (a lower), or spreads
 * (gathers) with the mean of e^-loss kept; both keep their direction when an independent loss is
 * added. All sums are of positive terms, so their rounding error is relative and masses are widened
 * by it; what underflows or is cut off is counted at an infinite loss (not at all).
 */
final class PrivacyLossGrid {
  /**
   * Points beyond which a grid is made coarser: its relative error in variance is then below 1e-5.
   */
  static final int POINTS = 1 << 13;

  private static final double TAIL = 1e-30;
  private static final double UNDERFLOW = 1e-290;
  private static final double ULP = 0x1p-52;
  private static final double WEIGHT_ERROR = 0x1p-49;

  /** Which way a grid errs. */
  enum Side {
    ABOVE,
    BELOW;

    /** The mass changed by a relative error in the safe direction. */
    double widen(double mass, double error) {
      return this == ABOVE ? mass * (1 + error) : mass * (1 - error);
    }
  }

  /**
   * What lies off the points.
   *
   * @param infinite mass at an infinite loss
   * @param slack by how much losses may be wrong, in the unsafe direction
   */
  private record Off(double infinite, double slack) {}

  private final Side side;
  private final int points;
  private final double spacing;
  private final long first;
  private final double[] mass;
  private final double infinite;
  private final double slack;

  /**
   * @param spacing a power of two
   * @param first index of the lowest point: its loss is first * spacing
   * @param mass of each point from there
   * @param infinite mass at an infinite loss
   * @param slack by how much losses may be wrong, in the unsafe direction
   */
  PrivacyLossGrid(
      Side side, double spacing, long first, double[] mass, double infinite, double slack) {
    this(side, POINTS, spacing, first, mass, new Off(infinite, slack));
  }

  private PrivacyLossGrid(
      Side side, int points, double spacing, long first, double[] mass, Off off) {
    this.side = side;
    this.points = points;
    this.spacing = spacing;
    this.first = first;
    this.mass = mass;
    this.infinite = off.infinite();
    this.slack = off.slack();
  }

  /** The same on at most some number of points, here and in all that follows from it. */
  PrivacyLossGrid within(int most) {
    return new PrivacyLossGrid(side, most, spacing, first, mass, new Off(infinite, slack)).fitted();
  }

  /** No loss at all. */
  static PrivacyLossGrid nothing(Side side) {
    return new PrivacyLossGrid(side, 0x1p-900, 0, new double[] {1}, 0, 0);
  }

  Side side() {
    return side;
  }

  /** The loss of both together, the second chosen with the output of the first in view. */
  PrivacyLossGrid plus(PrivacyLossGrid other) {
    if (other.side != side) {
      throw new IllegalArgumentException(
          "both must err to the same side, but were " + side + " and " + other.side);
    }
    double common = Math.max(spacing, other.spacing);
    return to(common).convolved(other.to(common)).trimmed().fitted();
  }

  private PrivacyLossGrid to(double common) {
    PrivacyLossGrid grid = this;
    while (grid.spacing < common) {
      grid = grid.coarser();
    }
    return grid;
  }

  private PrivacyLossGrid convolved(PrivacyLossGrid other) {
    double[] longer = mass.length < other.mass.length ? other.mass : mass;
    double[] shorter = mass.length < other.mass.length ? mass : other.mass;
    double[] sum = longer == shorter ? square(longer) : product(shorter, longer);
    widen(sum, ULP * (shorter.length + 2));
    double beyond = 0;
    if (side == Side.ABOVE) {
      boolean underflows = least(shorter) * least(longer) < UNDERFLOW;
      beyond = (infinite + other.infinite) * (1 + ULP) + (underflows ? UNDERFLOW : 0);
    }
    double off = (slack + other.slack) * (1 + ULP);
    int fewer = Math.min(points, other.points);
    return new PrivacyLossGrid(
        side, fewer, spacing, Math.addExact(first, other.first), sum, new Off(beyond, off));
  }

  /*
   * Four factors a pass, so that a sum is read and written once for four terms. Whatever the order
   * of the terms, all of them are positive, and the error of a sum is relative to it.
   */
  private static double[] product(double[] shorter, double[] longer) {
    double[] sum = new double[longer.length + shorter.length - 1];
    int i = 0;
    for (; i + 4 <= shorter.length && longer.length >= 4; i += 4) {
      addFour(shorter, i, longer, 0, sum);
    }
    for (; i < shorter.length; i++) {
      double factor = shorter[i];
      for (int j = 0; j < longer.length; j++) {
        sum[i + j] += factor * longer[j];
      }
    }
    return sum;
  }

  /** Adds the terms of factors i to i + 3 with all from a place on, at least four. */
  private static void addFour(double[] factors, int i, double[] masses, int from, double[] sum) {
    double f0 = factors[i];
    double f1 = factors[i + 1];
    double f2 = factors[i + 2];
    double f3 = factors[i + 3];
    int end = masses.length;
    sum[i + from] += f0 * masses[from];
    sum[i + from + 1] += f0 * masses[from + 1] + f1 * masses[from];
    sum[i + from + 2] += f0 * masses[from + 2] + f1 * masses[from + 1] + f2 * masses[from];
    for (int j = from + 3; j < end; j++) {
      sum[i + j] +=
          (f0 * masses[j] + f1 * masses[j - 1]) + (f2 * masses[j - 2] + f3 * masses[j - 3]);
    }
    sum[i + end] += f1 * masses[end - 1] + f2 * masses[end - 2] + f3 * masses[end - 3];
    sum[i + end + 1] += f2 * masses[end - 1] + f3 * masses[end - 2];
    sum[i + end + 2] += f3 * masses[end - 1];
  }

  /** The same of a distribution with itself: each pair of different points once, and then twice. */
  private static double[] square(double[] masses) {
    double[] sum = new double[2 * masses.length - 1];
    int i = 0;
    for (; i + 8 <= masses.length; i += 4) {
      addFour(masses, i, masses, i + 4, sum);
      for (int a = i; a < i + 4; a++) {
        for (int b = a + 1; b < i + 4; b++) {
          sum[a + b] += masses[a] * masses[b];
        }
      }
    }
    for (; i < masses.length; i++) {
      for (int j = i + 1; j < masses.length; j++) {
        sum[i + j] += masses[i] * masses[j];
      }
    }
    for (int k = 0; k < sum.length; k++) {
      sum[k] *= 2;
    }
    for (i = 0; i < masses.length; i++) {
      sum[2 * i] += masses[i] * masses[i];
    }
    return sum;
  }

  private static double least(double[] masses) {
    double least = 1;
    for (double each : masses) {
      least = each > 0 ? Math.min(least, each) : least;
    }
    return least;
  }

  /** Without tails that do not matter. */
  private PrivacyLossGrid trimmed() {
    int low = 0;
    double beneath = 0;
    while (low < mass.length - 1 && beneath + mass[low] <= TAIL) {
      beneath += mass[low++];
    }
    int high = mass.length;
    double above = 0;
    while (high > low + 1 && above + mass[high - 1] <= TAIL) {
      above += mass[--high];
    }
    double[] rest = Arrays.copyOfRange(mass, low, high);
    double beyond = 0;
    if (side == Side.ABOVE) {
      rest[0] += beneath * (1 + WEIGHT_ERROR);
      beyond = (infinite + above) * (1 + WEIGHT_ERROR);
    }
    return new PrivacyLossGrid(side, points, spacing, first + low, rest, new Off(beyond, slack));
  }

  /** Coarse enough to have at most as many points as it may, {@link #POINTS} or fewer. */
  PrivacyLossGrid fitted() {
    PrivacyLossGrid grid = this;
    while (grid.mass.length > points) {
      grid = grid.coarser();
    }
    return grid;
  }

  /*
   * Even points stay. From above, the mass of an odd point goes to both its neighbours. From below
   * it goes down, but for what can be gathered with mass of the next odd point so that their mean
   * of e^-loss is the even point's: a from the lower with e^spacing a from the upper, at most half
   * of either.
   */
  private PrivacyLossGrid coarser() {
    long from = Math.floorDiv(first, 2);
    long to = -Math.floorDiv(-(first + mass.length - 1), 2);
    double[] coarse = new double[Math.toIntExact(to - from + 1)];
    double fall = StrictMath.exp(-spacing);
    double up = 1 / (1 + fall);
    for (int i = 0; i < coarse.length; i++) {
      long even = 2 * (from + i);
      double before = at(even - 1);
      double after = at(even + 1);
      if (side == Side.ABOVE) {
        coarse[i] = before * up + at(even) + after * (up * fall);
      } else {
        double lifted = gathered(before, after * fall);
        double lost = gathered(after, at(even + 3) * fall);
        coarse[i] = lifted + at(even) + (after - lost);
      }
    }
    widen(coarse, WEIGHT_ERROR);
    return new PrivacyLossGrid(side, points, 2 * spacing, from, coarse, new Off(infinite, slack));
  }

  private static double gathered(double lower, double fallenUpper) {
    return Math.min(lower, fallenUpper) * (0.5 - WEIGHT_ERROR);
  }

  private double at(long index) {
    long place = index - first;
    return place >= 0 && place < mass.length ? mass[(int) place] : 0;
  }

  private void widen(double[] masses, double error) {
    for (int i = 0; i < masses.length; i++) {
      masses[i] = side.widen(masses[i], error);
    }
  }

  /** The bound on delta at an epsilon of any sign. */
  double delta(double epsilon) {
    double from = side == Side.ABOVE ? epsilon - slack : epsilon + slack;
    double sum = 0;
    for (int i = 0; i < mass.length; i++) {
      double over = (first + i) * spacing - from;
      if (over > 0) {
        sum -= mass[i] * StrictMath.expm1(-over);
      }
    }
    return Math.min(1, side.widen(sum, ULP * (mass.length + 4)) + infinite);
  }

  /** The largest loss of finite probability, or 0 if that is negative. */
  double top() {
    return Math.max(0, (first + mass.length) * spacing + slack);
  }
}
