package dev.sotto.learner.accounting;

/**
 * The most that may ever be spent: an epsilon at a delta. The round that would exceed it never
 * happens (docs/privacy.md, "The ledger").
 *
 * @param epsilon positive; infinite only for a reference model on public data, which promises
 *     nothing
 * @param delta above 0 and below 1
 * @param spentMu what the same units have spent in earlier runs, at least 0: the ledger of this run
 *     begins with it
 * @param earlierMu at least 0: what the run at whose model this one began, and those before it,
 *     have spent on records that this one does not learn; no part of this run's cost, but of a
 *     later one that learns such records again. Infinite where nobody knows
 */
public record Budget(double epsilon, double delta, double spentMu, double earlierMu) {
  public Budget {
    if (!(epsilon > 0)) {
      throw new IllegalArgumentException("epsilon must be positive, but was " + epsilon);
    }
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be above 0 and below 1, but was " + delta);
    }
    if (!(spentMu >= 0 && spentMu < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "spentMu must be at least 0 and finite, but was " + spentMu);
    }
    if (!(earlierMu >= 0)) {
      throw new IllegalArgumentException("earlierMu must be at least 0, but was " + earlierMu);
    }
    if (spentMu > 0 && !(spentMu < GaussianDp.mu(GaussianDp.roundDown(epsilon), delta))) {
      throw new IllegalArgumentException("a budget of epsilon " + epsilon + " at delta " + delta
          + " is spent already: spentMu is " + spentMu);
    }
  }

  /**
   * The budget that a mu means at a delta; less than it by a relative 1e-9 or so, since epsilons
   * have ten digits.
   *
   * @throws IllegalArgumentException where it means an epsilon of 0
   */
  public static Budget ofMu(double mu, double delta) {
    double epsilon = GaussianDp.roundDown(GaussianDp.epsilon(mu, delta));
    if (!(epsilon > 0)) {
      throw new IllegalArgumentException("a budget of mu " + mu + " is an epsilon of 0 at delta "
          + delta + ": choose a smaller delta, or a larger mu");
    }
    return new Budget(epsilon, delta);
  }

  /** A budget of which nothing has been spent. */
  public Budget(double epsilon, double delta) {
    this(epsilon, delta, 0, 0);
  }

  /** A budget of a run that began at no other's model. */
  public Budget(double epsilon, double delta, double spentMu) {
    this(epsilon, delta, spentMu, 0);
  }

  /**
   * What is left for a Gaussian mechanism beside failures ({@link ApproximateGaussianDp}).
   *
   * @param failure the probability of all that a unit may see, at least 0
   * @throws IllegalArgumentException where nothing is left of delta
   */
  public Budget beside(double failure) {
    if (failure == 0 || epsilon == Double.POSITIVE_INFINITY) {
      return this;
    }
    double left = delta - ApproximateGaussianDp.delta(epsilon, failure);
    if (!(left > 0)) {
      throw new IllegalArgumentException("delta must be above (1 + e^" + epsilon + ") " + failure
          + " = " + (delta - left) + ", which failures of the mechanism take, but was " + delta);
    }
    // Down by more than what the way back from mu to epsilon rounds up.
    return new Budget(epsilon, left * (1 - 1e-9), spentMu, earlierMu);
  }

  /** The largest mu that {@link #allows} accepts, to a relative 1e-13 from below. */
  public double totalMu() {
    return GaussianDp.mu(GaussianDp.roundDown(epsilon), delta);
  }

  /** What is left of {@link #totalMu()} for this run: mu add up in squares. */
  public double muLimit() {
    double total = totalMu();
    return spentMu == 0 ? total : Math.sqrt((total - spentMu) * (total + spentMu)) * (1 - 0x1p-48);
  }

  /**
   * The largest pure epsilon, beside what was spent before, whose published, rounded-up value stays
   * within the budget.
   */
  public double pureLimit() {
    double before = spentMu == 0 ? 0 : GaussianDp.epsilon(spentMu, delta);
    return GaussianDp.roundDown(Math.max(0, epsilon - before));
  }

  /**
   * Whether the published, that is rounded-up, epsilon of this mu stays within the budget.
   *
   * @param mu of everything, what was spent before included
   */
  public boolean allows(double mu) {
    return GaussianDp.roundUp(GaussianDp.epsilon(mu, delta)) <= epsilon;
  }
}
