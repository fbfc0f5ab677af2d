package dev.sotto.learner.optim;

/**
 * The step eta_t of round t. The scale is multiplier * D / Gbar (private-ftrl.md): D is the
 * potential's {@link Potential#diameter}, Gbar^2 bounds the mean square of a noisy gradient.
 */
public interface StepSize {
  /**
   * The step of a round.
   *
   * @param t the round, from 1
   */
  double eta(long t);

  /**
   * scale / sqrt(t): needs no horizon (Theorem A.4).
   *
   * @param scale positive and finite
   */
  record Decreasing(double scale) implements StepSize {
    public Decreasing {
      checkScale(scale);
    }

    @Override
    public double eta(long t) {
      checkRound(t);
      return scale / Math.sqrt(t);
    }
  }

  /**
   * scale / sqrt(horizon) in every round (Theorem A.3), also in those past the horizon, of which
   * the theorem says nothing.
   *
   * @param scale positive and finite
   * @param horizon the number of rounds, at least 1
   */
  record Fixed(double scale, long horizon) implements StepSize {
    public Fixed {
      checkScale(scale);
      if (horizon < 1) {
        throw new IllegalArgumentException("horizon must be at least 1, but was " + horizon);
      }
    }

    @Override
    public double eta(long t) {
      checkRound(t);
      return scale / Math.sqrt(horizon);
    }
  }

  private static void checkScale(double scale) {
    if (!(scale > 0) || scale == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("scale must be positive and finite, but was " + scale);
    }
  }

  private static void checkRound(long t) {
    if (t < 1) {
      throw new IllegalArgumentException("round must be at least 1, but was " + t);
    }
  }
}
