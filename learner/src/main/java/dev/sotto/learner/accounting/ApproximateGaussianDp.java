package dev.sotto.learner.accounting;

/**
 * Mechanisms that are mu-GDP but for failures of some probability: if {@code delta_0} is what
 * {@link GaussianDp} gives at epsilon, then (epsilon, delta_0 + (1 + e^epsilon) failure)-DP holds.
 *
 * <p>Proof for one participation: beside the output under the neighbour, Q, there is a distribution
 * Q' within total variation f of it to which the output P is mu-GDP. So {@code P(S) <= e^epsilon
 * Q'(S) + delta_0 <= e^epsilon (Q(S) + f) + delta_0}; the same with P and Q exchanged. Over k
 * participations in blocks that follow each other, replace one conditional distribution after the
 * other: the Q' compose to root k times mu, and lie within k f.
 */
public final class ApproximateGaussianDp {
  private static final double UP = 1 + 0x1p-45;
  private static final int MOST_STEPS = 10_000;

  private ApproximateGaussianDp() {}

  /**
   * The delta that failures take at an epsilon, from above.
   *
   * @param failure the probability, of all participations together, at least 0
   */
  public static double delta(double epsilon, double failure) {
    return failure == 0 ? 0 : (1 + StrictMath.exp(epsilon)) * failure * UP;
  }

  /**
   * The smallest epsilon, from above; infinite where failures leave nothing of delta.
   *
   * @param delta of the whole guarantee, failures included
   * @param failure the probability, of all participations together, at least 0
   */
  public static double epsilon(double mu, double delta, double failure) {
    if (failure == 0) {
      return GaussianDp.epsilon(mu, delta);
    }
    double epsilon = 0;
    for (int i = 0; i < MOST_STEPS; i++) { // rises to the smallest fixed point
      double left = delta - delta(epsilon, failure);
      if (!(left > 0)) {
        return Double.POSITIVE_INFINITY;
      }
      double next = GaussianDp.epsilon(mu, left);
      if (next <= epsilon) {
        return epsilon;
      }
      epsilon = next * UP;
    }
    return Double.POSITIVE_INFINITY;
  }
}
