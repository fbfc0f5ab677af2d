package dev.sotto.learner.mechanism;

/**
 * How far the average of a phase of reweighted steps may move where some of them differ: by more
 * than {@code c b eta L}, b being the number of these steps, with probability at most delta.
 * Sharper than Lemma 5 of the paper that docs/resque.md names.
 *
 * <p>With {@code a = eta L / rho}, {@code t = r / rho} and any order p of at least 2,
 *
 * <pre>
 * c     = 2 omega (1 + G)^(T / 2) delta^(-1 / (2 p)),  omega = e^((2 p - 1) t^2 / 2)
 * G     = a^2 m_2^2 + 2 a m_2 E + (p - 1) / 2 chi^2 (1 + chi)^(p - 2)
 * chi   = 2 a m_p + a^2 m_2p^2
 * </pre>
 *
 * where m is {@link ImportanceWeight#differenceFactor}. Derivation, for the distance u of two runs:
 *
 * <ul>
 *   <li>A step that differs adds {@code eta w ||G - G'||}, so {@code 2 eta L omega} in L_2p, or
 *       half of that where it is no gradient in one of the runs.
 *   <li>In a step that both share, ||u||^2 grows by a factor 1 + X. Gradients of a convex function
 *       are monotone, so {@code E X <= a^2 m_2^2}; and {@code ||X||_p <= chi}. By Taylor's formula
 *       of second order and Hoelder's inequality, {@code E (1 + X)^p <= (1 + G)^p}. A regulariser
 *       and a projection only contract.
 *   <li>Averages by Minkowski's inequality; then Markov's at order 2p.
 *   <li>E: gradients as they are computed are the exact ones but for an error whose root mean
 *       square is E L at most. They are the same in both runs, but the mean field is monotone only
 *       up to {@code 2 eta ||u|| ||w - w'||_2 E L}.
 *   <li>Where each step is off by e at most, u grows by 2 e more in each.
 * </ul>
 *
 * <p>Every loss must be convex and L-Lipschitz everywhere, the perturbations Gaussian, fresh for
 * each step and independent of the data, and the weights not cut: a field of cut weights is not
 * monotone.
 */
public final class Stability {
  private static final int MOST_ORDER = 2000;
  private static final double ROUNDING = 1 + 1e-9;

  private Stability() {}

  /**
   * How steps as they are computed differ from exact ones.
   *
   * @param gradient E, at least 0
   * @param drift 2 T e over {@code eta L}, at least 0
   */
  record Errors(double gradient, double drift) {
    static final Errors NONE = new Errors(0, 0);
  }

  /**
   * The smallest c over the orders, in exact arithmetic.
   *
   * @param scaledStep a, at least 0
   * @param t relative radius, at least 0
   * @param steps T of the phase
   * @param delta above 0 and below 1
   */
  public static double constant(double scaledStep, double t, long steps, double delta) {
    return 2 * distance(scaledStep, t, steps, delta, Errors.NONE);
  }

  /**
   * The smallest {@code c / 2} over the orders: how far a step that is a gradient in one run only
   * moves the average, in units of {@code eta L}.
   */
  static double distance(double a, double t, long steps, double delta, Errors errors) {
    if (!(a >= 0 && t >= 0 && delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("step and radius must be at least 0 and delta between 0"
          + " and 1, but were " + a + ", " + t + " and " + delta);
    }
    double best = Double.POSITIVE_INFINITY;
    for (int p = 2; p <= MOST_ORDER; p++) {
      double c = of(p, a, t, steps, errors) * StrictMath.exp(-StrictMath.log(delta) / (2 * p));
      if (c < best) {
        best = c;
      } else if (c > 2 * best) { // every order is valid; those above are worse
        break;
      }
    }
    return best * ROUNDING;
  }

  /** The norm in L_2p. */
  private static double of(int p, double a, double t, long steps, Errors errors) {
    double m2 = ImportanceWeight.differenceFactor(2, t);
    double m2p = ImportanceWeight.differenceFactor(2 * p, t);
    double chi = 2 * a * ImportanceWeight.differenceFactor(p, t) + a * a * m2p * m2p;
    double growth = a * a * m2 * m2
        + 2 * a * m2 * errors.gradient()
        + (p - 1) / 2.0 * chi * chi * StrictMath.pow(1 + chi, p - 2);
    double omega = StrictMath.exp((2 * p - 1) * t * t / 2);
    return StrictMath.exp(steps / 2.0 * StrictMath.log1p(growth)) * (omega + errors.drift());
  }
}
