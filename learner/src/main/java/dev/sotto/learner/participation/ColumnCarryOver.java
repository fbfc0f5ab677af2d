package dev.sotto.learner.participation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the rows of C u cost a unit, in units of mu^2, and how its participations are carried from
 * row to row as h_1..h_d (docs/blt.md, "Budget per unit"). Every result is at least the exact one
 * if the numbers handed in are, and above it by a relative 1e-14 or so.
 */
final class ColumnCarryOver {
  private static final int KNOWN = 1024; // numbers of rows, from 0, whose powers are kept

  /** Of the memories that were asked for last: all models of a plan share their powers. */
  private static final Map<ColumnDecay, Powers> POWERS = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<ColumnDecay, Powers> eldest) {
      return size() > 16;
    }
  };

  /*
   * Why outward. A filter holds only if what a unit truly spends never passes the cap, however many
   * records it sends; so rounding must not add up in its favour. All terms are positive, hence
   * relative errors of 2^-53 per operation add and never cancel (StrictMath's functions err by less
   * than 2^-52). The longest chain is a term of rows(): 7 for its constant, 15 for 1 - (theta_m
   * theta_l)^g (g ln theta errs by 4, which 1 - e^x passes on at most as it is), 3 products, and
   * d^2 at most for the sum. The factor below is more.
   */
  private final double outward;
  private final double ratioSquared;
  private final double[] omega;
  private final double[] theta;
  private final double[] logTheta;
  private final double[] pairs; // ratio^2 omega_m omega_l / (1 - theta_m theta_l), twice for m < l
  private final Powers powers;

  /** For each known number of rows, and each m: {@link #goneAfter} and {@link #leftAfter}. */
  private record Powers(double[] gone, double[] left) {
    static Powers of(double[] logTheta) {
      int size = logTheta.length;
      Powers powers = new Powers(new double[KNOWN * size], new double[KNOWN * size]);
      for (int rows = 0; rows < KNOWN; rows++) {
        for (int m = 0; m < size; m++) {
          powers.gone[rows * size + m] = goneAfter(rows, logTheta[m]);
          powers.left[rows * size + m] = leftAfter(rows, logTheta[m]);
        }
      }
      return powers;
    }
  }

  /**
   * The costs under a memory.
   *
   * @param ratioSquared what a row that moves by one participation costs: (s/sigma)^2
   */
  ColumnCarryOver(ColumnDecay memory, double ratioSquared) {
    int size = memory.size();
    this.ratioSquared = ratioSquared;
    omega = memory.omega();
    theta = memory.theta();
    logTheta = new double[size];
    pairs = new double[size * size];
    outward = 1 + (40 + size * size) * 0x1p-52;
    double[] fall = memory.oneMinusTheta();
    for (int m = 0; m < size; m++) {
      logTheta[m] = StrictMath.log1p(-fall[m]);
      for (int l = m; l < size; l++) {
        double gap = fall[m] + fall[l] * (1 - fall[m]); // 1 - theta_m theta_l without cancellation
        double times = m == l ? 1 : 2;
        pairs[m * size + l] = times * ratioSquared * omega[m] * omega[l] / gap;
      }
    }
    synchronized (POWERS) {
      powers = POWERS.computeIfAbsent(memory, each -> Powers.of(logTheta));
    }
  }

  /** 1 - theta^rows. */
  private static double goneAfter(long rows, double logTheta) {
    return rows == Long.MAX_VALUE ? 1 : -StrictMath.expm1(rows * logTheta);
  }

  /** At least theta^rows. */
  private static double leftAfter(long rows, double logTheta) {
    double log = rows * logTheta;
    return StrictMath.exp(log) * (1 + (1 - log) * 0x1p-50); // the error of e^x grows with |x|
  }

  /** d. */
  int size() {
    return omega.length;
  }

  /** The cost of a row in which the unit takes part: ratio^2 (1 + sum omega_m h_m)^2. */
  double row(double[] h) {
    double carried = 0;
    for (int m = 0; m < h.length; m++) {
      carried += omega[m] * h[m];
    }
    double moved = 1 + carried;
    return carried == 0 ? ratioSquared : ratioSquared * (moved * moved) * outward;
  }

  /**
   * The cost of the next rows in which it does not.
   *
   * @param rows how many, at least 0; {@link Long#MAX_VALUE} for all that may ever follow
   */
  double rows(double[] h, long rows) {
    if (rows == 0 || h.length == 0) {
      return 0;
    }
    double[] gone = powers.gone;
    int from = rows < KNOWN ? (int) rows * h.length : 0;
    if (rows >= KNOWN) {
      gone = new double[h.length];
      for (int m = 0; m < h.length; m++) {
        gone[m] = goneAfter(rows, logTheta[m]);
      }
    }
    double sum = 0;
    for (int m = 0; m < h.length; m++) {
      double first = gone[from + m];
      for (int l = m; l < h.length; l++) {
        double both = first + gone[from + l] * (1 - first); // 1 - (theta_m theta_l)^rows
        sum += pairs[m * h.length + l] * (h[m] * h[l]) * both;
      }
    }
    return sum * outward;
  }

  /** Lets a number of rows pass without the unit. */
  void pass(double[] h, long rows) {
    for (int m = 0; m < h.length && rows > 0; m++) {
      h[m] *= rows < KNOWN ? powers.left[(int) rows * h.length + m] : leftAfter(rows, logTheta[m]);
    }
  }

  /** Lets a row pass with the unit in it. */
  void enter(double[] h) {
    for (int m = 0; m < h.length; m++) {
      h[m] = (theta[m] * h[m] + 1) * (1 + 0x1p-50);
    }
  }
}
