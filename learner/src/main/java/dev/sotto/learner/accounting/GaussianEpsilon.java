package dev.sotto.learner.accounting;

/** Of Gaussian noise: the epsilon of a mu. Where it fails, delta pays for that. */
class GaussianEpsilon implements EpsilonAccounting {
  private final PrivacyAccountant account;
  private volatile Allowed allowed;

  GaussianEpsilon(PrivacyAccountant account) {
    this.account = account;
  }

  @Override
  public AccountingMethod method() {
    return account.mechanism().failure() > 0
        ? AccountingMethod.APPROXIMATE_GAUSSIAN_DP
        : AccountingMethod.GAUSSIAN_DP;
  }

  @Override
  public boolean addsUpInMu() {
    return true;
  }

  @Override
  public double mu(double once) {
    return once;
  }

  /** Before it is rounded up. */
  final double exact(long rounds, double mu) {
    return ApproximateGaussianDp.epsilon(mu, account.delta(), account.failure(rounds));
  }

  @Override
  public double epsilon(long rounds, double mu) {
    return GaussianDp.roundUp(exact(rounds, mu));
  }

  @Override
  public boolean allows(Budget budget, long rounds) {
    if (account.mechanism().failure() > 0) {
      return account.epsilon(rounds) <= budget.epsilon();
    }
    Allowed known = allowed;
    if (known == null || !known.budget().equals(budget)) {
      known = new Allowed(budget, budget.totalMu());
      allowed = known;
    }
    double mu = account.mu(rounds);
    return mu <= known.mu() || budget.allows(mu);
  }

  private record Allowed(Budget budget, double mu) {}
}
