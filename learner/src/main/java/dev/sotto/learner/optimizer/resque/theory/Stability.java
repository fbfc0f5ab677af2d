package dev.sotto.learner.optimizer.resque.theory;

import dev.sotto.learner.optimizer.resque.ImportanceWeight;

/**
 * How far the average of a phase may move where some of its steps differ: by more than {@code c b eta
 * L}, b being the number of these steps, with probability at most delta. Sharper than Lemma 5.
 *
 * <p>With {@code a = eta L / rho}, {@code t = r / rho} and any order p of at least 2,
 *
 * <pre>
 * c     = 2 omega (1 + G)^(T / 2) delta^(-1 / (2 p)),  omega = e^((2 p - 1) t^2 / 2)
 * G     = a^2 m_2^2 + (p - 1) / 2 chi^2 (1 + chi)^(p - 2)
 * chi   = 2 a m_p + a^2 m_2p^2
 * </pre>
 *
 * where m is {@link ImportanceWeight#differenceFactor}. In a step that both runs share, their squared
 * distance grows by a factor 1 + X with {@code E X <= a^2 m_2^2}, as gradients of a convex function
 * are monotone, and {@code ||X||_p <= chi}; a step that differs adds {@code 2 eta L omega} in L_2p;
 * then Markov's inequality at order 2p. Every loss must be convex and L-Lipschitz everywhere, and the
 * weights exact. Not an accounting of this program: no release rests on it.
 */
public final class Stability {
  private static final int MOST_ORDER = 2000;
  private static final double ROUNDING = 1 + 1e-9;

  private Stability() {}

  /**
   * The smallest c over the orders.
   *
   * @param scaledStep a, at least 0
   * @param t relative radius, at least 0
   * @param steps T of the phase
   * @param delta above 0 and below 1
   */
  public static double constant(double scaledStep, double t, long steps, double delta) {
    if (!(scaledStep >= 0 && t >= 0 && delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("step and radius must be at least 0 and delta between 0"
          + " and 1, but were " + scaledStep + ", " + t + " and " + delta);
    }
    double best = Double.POSITIVE_INFINITY;
    for (int p = 2; p <= MOST_ORDER; p++) {
      double c = of(p, scaledStep, t, steps, delta);
      if (c < best) {
        best = c;
      } else if (c > 2 * best) { // every order is valid; those above are worse
        break;
      }
    }
    return best;
  }

  /** c of one order. */
  static double of(int p, double a, double t, long steps, double delta) {
    double m2 = ImportanceWeight.differenceFactor(2, t);
    double m2p = ImportanceWeight.differenceFactor(2 * p, t);
    double chi = 2 * a * ImportanceWeight.differenceFactor(p, t) + a * a * m2p * m2p;
    double growth = a * a * m2 * m2 + (p - 1) / 2.0 * chi * chi * StrictMath.pow(1 + chi, p - 2);
    double log = (2 * p - 1) * t * t / 2
        + steps / 2.0 * StrictMath.log1p(growth)
        - StrictMath.log(delta) / (2 * p);
    return 2 * StrictMath.exp(log) * ROUNDING;
  }

  /**
   * The largest c over the phases of a call with the steps of {@link ErmPhase}, where {@code 1 /
   * sqrt(T)} is what limits them.
   *
   * @param queries T of the call
   * @param ratio rho / r, at least 1
   * @param reach r' / r
   * @param delta of each phase
   */
  public static double ofCall(long queries, double ratio, double reach, double delta) {
    double worst = 0;
    double a = reach / (ratio * Math.sqrt(queries));
    for (long steps = Long.highestOneBit(queries) / 2; steps >= 1; steps /= 2) {
      a /= 4;
      worst = Math.max(worst, constant(a, 1 / ratio, steps, delta));
    }
    return worst;
  }
}
