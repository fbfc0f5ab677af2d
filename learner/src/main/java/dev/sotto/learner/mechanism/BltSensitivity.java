package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ContributionBound;

/**
 * Norms of C u (docs/blt.md, "Definition and generation" and "Budget per unit", docs/privacy.md,
 * "Contribution bounds"). For falling coefficients the worst admissible u is the earliest:
 * participations b rounds apart from the first round on. The row of C u in a round with a
 * participation is {@code 1 + sum_m omega_m h_m}, where {@code h_m} falls by theta_m a round and
 * rises by 1 after a participation; between participations squares of rows are geometric sums.
 *
 * <p>The cost of n such periods is a quadratic form of the h before them, and h goes through an
 * affine map. The form of 2n periods follows from that of n, so that any number of them takes O(log
 * n), and all entries are positive: nothing cancels.
 *
 * <p>Promises: never below the truth, since the squares are raised by more than their rounding
 * errors; not falling in t for one participation; at most the limit.
 */
final class BltSensitivity {
  /** Above the error of a term, 12 roundings, and of adding up to 256 of them: 268 of 2^-53. */
  private static final double ONE_SLACK = 0x1p-42;

  /** The same, and 40 roundings in each of up to 63 doublings: 2788 of 2^-53. */
  private static final double MANY_SLACK = 0x1p-40;

  private final int buffers;
  private final double[] omega;
  private final DecayRatio[] theta;
  private final DecayRatio[][] pairs;

  BltSensitivity(BltParameters parameters) {
    buffers = parameters.buffers();
    omega = parameters.omega();
    theta = new DecayRatio[buffers];
    pairs = new DecayRatio[buffers][buffers];
    for (int m = 0; m < buffers; m++) {
      theta[m] = parameters.decay(m);
      for (int l = 0; l <= m; l++) {
        pairs[m][l] = theta[m].times(theta[l]);
        pairs[l][m] = pairs[m][l];
      }
    }
  }

  /** Of one participation after a number of rounds, at least 1; the limit for infinitely many. */
  double of(double rounds) {
    double later = 0;
    for (int m = 0; m < buffers; m++) {
      for (int l = 0; l < buffers; l++) {
        later += omega[m] * omega[l] * pairs[m][l].sum(rounds - 1);
      }
    }
    return later == 0 ? 1 : Math.nextUp(Math.sqrt(Math.nextUp(1 + later * (1 + ONE_SLACK))));
  }

  /** Of a schedule bound after a number of rounds, at least 1. */
  double of(long rounds, ContributionBound bound) {
    long participations = bound.within(rounds);
    if (participations == 1) {
      return of(rounds);
    }
    double gap = rounds - 1 - (participations - 1) * bound.separation();
    return Math.min(of(participations, bound.separation(), gap), limit(bound));
  }

  /** The limit of a schedule bound; infinite where it admits participations for ever. */
  double limit(ContributionBound bound) {
    if (bound.most() == Long.MAX_VALUE) {
      return Double.POSITIVE_INFINITY;
    }
    if (bound.most() == 1) {
      return of(Double.POSITIVE_INFINITY);
    }
    return of(bound.most(), bound.separation(), Double.POSITIVE_INFINITY);
  }

  private double of(long participations, long separation, double lastGap) {
    Periods periods = one(separation - 1);
    double[] h = new double[buffers];
    double spent = 0;
    for (long left = participations - 1; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        spent += periods.cost(h);
        h = periods.after(h);
      }
      if (left > 1) {
        periods = periods.twice();
      }
    }
    spent += one(lastGap).cost(h);
    return Math.sqrt(spent * (1 + MANY_SLACK));
  }

  /** A participation and a number of rounds without one. */
  private Periods one(double gap) {
    double[][] square = new double[buffers][buffers];
    double[] linear = new double[buffers];
    double[] start = new double[buffers];
    double constant = 1;
    for (int m = 0; m < buffers; m++) {
      linear[m] = omega[m];
      start[m] = theta[m].power(gap);
      for (int l = 0; l < buffers; l++) {
        double idle = omega[m] * omega[l] * pairs[m][l].sum(gap);
        constant += idle;
        linear[m] += theta[m].value() * idle;
        square[m][l] = omega[m] * omega[l] + theta[m].value() * theta[l].value() * idle;
      }
    }
    return new Periods(gap + 1, square, linear, constant, start);
  }

  /**
   * What some periods cost, {@code h' square h + 2 linear' h + constant}; they leave
   * {@code theta^rounds h + start}.
   */
  private final class Periods {
    final double rounds;
    final double[][] square;
    final double[] linear;
    final double constant;
    final double[] start;

    Periods(double rounds, double[][] square, double[] linear, double constant, double[] start) {
      this.rounds = rounds;
      this.square = square;
      this.linear = linear;
      this.constant = constant;
      this.start = start;
    }

    double cost(double[] h) {
      double cost = constant;
      for (int m = 0; m < buffers; m++) {
        cost += h[m] * (times(m, h) + 2 * linear[m]);
      }
      return cost;
    }

    private double times(int m, double[] h) {
      double sum = 0;
      for (int l = 0; l < buffers; l++) {
        sum += square[m][l] * h[l];
      }
      return sum;
    }

    double[] after(double[] h) {
      double[] after = new double[buffers];
      for (int m = 0; m < buffers; m++) {
        after[m] = theta[m].power(rounds) * h[m] + start[m];
      }
      return after;
    }

    Periods twice() {
      double[][] squares = new double[buffers][buffers];
      double[] linears = new double[buffers];
      for (int m = 0; m < buffers; m++) {
        double decay = theta[m].power(rounds);
        linears[m] = linear[m] + decay * (times(m, start) + linear[m]);
        for (int l = 0; l < buffers; l++) {
          squares[m][l] = square[m][l] * (1 + decay * theta[l].power(rounds));
        }
      }
      return new Periods(2 * rounds, squares, linears, constant + cost(start), after(start));
    }
  }
}
