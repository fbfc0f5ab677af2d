package dev.sotto.learner.mechanism;

/**
 * What follows from the inverse of C (docs/blt.md, "Definition and generation"): its first column
 * is 1, then {@code sum_m psi_m phi_m^(k-1)}; the noise of the prefix sums is B z with B = A C^-1
 * Toeplitz and {@code b_k = b_inf + sum_m g_m phi_m^k}. All g and b_inf are positive, so that
 * errors are sums without cancellation.
 *
 * <p>The phi are the zeros of {@code f(y) = 1 + sum_m omega_m / (y - theta_m)}, one below each
 * theta.
 */
public final class BltInverse {
  private final DecayRatio[] phi;
  private final DecayRatio[][] pairs;
  private final double[] psi;
  private final double[] g;
  private final double floor;

  BltInverse(BltParameters parameters) {
    double[] omega = parameters.omega();
    double[] poles = parameters.oneMinusTheta();
    int buffers = omega.length;
    phi = new DecayRatio[buffers];
    psi = new double[buffers];
    g = new double[buffers];
    double product = 1;
    for (int m = 0; m < buffers; m++) {
      double zero = zero(omega, poles, m);
      phi[m] = DecayRatio.ofComplement(zero);
      psi[m] = -1 / slope(omega, poles, zero); // the residue of 1/f
      g[m] = -psi[m] / zero;
      product *= poles[m] / zero;
    }
    floor = product;
    pairs = new DecayRatio[buffers][buffers];
    for (int i = 0; i < buffers; i++) {
      for (int j = 0; j < buffers; j++) {
        pairs[i][j] = phi[i].times(phi[j]);
      }
    }
  }

  /** 1 - phi_m by bisection to the last bit: f rises from -inf at 1 - theta_m. */
  private static double zero(double[] omega, double[] poles, int m) {
    double low = poles[m];
    double high = m + 1 < poles.length ? poles[m + 1] : 1;
    for (double middle = middle(low, high); middle > low && middle < high; ) {
      if (value(omega, poles, middle) < 0) {
        low = middle;
      } else {
        high = middle;
      }
      middle = middle(low, high);
    }
    return high;
  }

  private static double middle(double low, double high) {
    return low + (high - low) / 2;
  }

  private static double value(double[] omega, double[] poles, double at) {
    double sum = 1;
    for (int i = 0; i < omega.length; i++) {
      sum += omega[i] / (poles[i] - at);
    }
    return sum;
  }

  private static double slope(double[] omega, double[] poles, double at) {
    double sum = 0;
    for (int i = 0; i < omega.length; i++) {
      double gap = poles[i] - at;
      sum += omega[i] / (gap * gap);
    }
    return sum;
  }

  /** phi_m, the decays of the inverse, the slowest first. */
  public double[] phi() {
    double[] values = new double[phi.length];
    for (int m = 0; m < values.length; m++) {
      values[m] = phi[m].value();
    }
    return values;
  }

  /** psi_m, the weights of the inverse's column, all negative. */
  public double[] psi() {
    return psi.clone();
  }

  /** g_m, the weights of the fading part of b, all positive. */
  public double[] g() {
    return g.clone();
  }

  /**
   * b_inf, what each round's draw leaves in all later prefixes: the error grows at last as b_inf
   * sqrt(t).
   */
  public double floor() {
    return floor;
  }

  /** The entry of C^-1 that lies k below the diagonal; k at least 0. */
  public double coefficient(long k) {
    if (k == 0) {
      return 1;
    }
    double sum = 0;
    for (int m = 0; m < psi.length; m++) {
      sum += psi[m] * phi[m].power(k - 1);
    }
    return sum;
  }

  /** b_k, the entry of B that lies k below the diagonal; k at least 0. */
  public double prefixCoefficient(long k) {
    double sum = floor;
    for (int m = 0; m < g.length; m++) {
      sum += g[m] * phi[m].power(k);
    }
    return sum;
  }

  /**
   * The variance of the noise of a prefix of a number of rounds, at least 0, for draws of variance
   * 1.
   */
  public double prefixVariance(long rounds) {
    double sum = rounds * floor * floor;
    for (int i = 0; i < g.length; i++) {
      sum += 2 * floor * g[i] * phi[i].sum(rounds);
      for (int j = 0; j < g.length; j++) {
        sum += g[i] * g[j] * pairs[i][j].sum(rounds);
      }
    }
    return sum;
  }

  /** The limit of the variance of one round's change of that noise. */
  public double incrementVariance() {
    double sum = 1;
    for (int i = 0; i < psi.length; i++) {
      for (int j = 0; j < psi.length; j++) {
        sum += psi[i] * psi[j] * pairs[i][j].sum(Double.POSITIVE_INFINITY);
      }
    }
    return sum;
  }
}
