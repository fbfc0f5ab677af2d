package dev.sotto.learner.privacy;

/**
 * The most that may ever be spent: an epsilon at a delta. The round that would exceed it never
 * happens (privacy.md section 6).
 *
 * @param epsilon positive; infinite only for a reference model on public data, which promises nothing
 * @param delta above 0 and below 1
 */
public record Budget(double epsilon, double delta) {
  public Budget {
    if (!(epsilon > 0)) {
      throw new IllegalArgumentException("epsilon must be positive, but was " + epsilon);
    }
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be above 0 and below 1, but was " + delta);
    }
  }

  /** The largest mu that {@link #allows} accepts, to a relative 1e-13 from below. */
  public double muLimit() {
    return GaussianDp.mu(GaussianDp.roundDown(epsilon), delta);
  }

  /** The largest pure epsilon whose published, rounded-up value stays within the budget. */
  public double pureLimit() {
    return GaussianDp.roundDown(epsilon);
  }

  /** Whether the published, that is rounded-up, epsilon of this mu stays within the budget. */
  public boolean allows(double mu) {
    return GaussianDp.roundUp(GaussianDp.epsilon(mu, delta)) <= epsilon;
  }
}
