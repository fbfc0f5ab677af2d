package dev.sotto.learner.accounting;

/**
 * Of Laplace noise, which alone is pure: epsilons add up, and need no delta. With what earlier runs
 * have spent it is composed by the distribution of its privacy loss.
 */
final class PureEpsilon implements EpsilonAccounting {
  private final PrivacyAccountant account;
  private volatile Mixed mixed;

  PureEpsilon(PrivacyAccountant account) {
    this.account = account;
  }

  @Override
  public AccountingMethod method() {
    return account.spentMu() == 0
        ? AccountingMethod.PURE
        : AccountingMethod.PRIVACY_LOSS_DISTRIBUTION;
  }

  @Override
  public boolean addsUpInMu() {
    return false;
  }

  @Override
  public double mu(double once) {
    return PureDp.mu(once);
  }

  @Override
  public double epsilon(long rounds, double mu) {
    double pure = account.pureEpsilon(rounds);
    if (account.spentMu() == 0 || pure == Double.POSITIVE_INFINITY) {
      return GaussianDp.roundUp(pure);
    }
    Mixed known = mixed; // 30 ms to compute, and mostly that of the round before
    if (known == null || known.pure() != pure) {
      double earlier = Math.nextUp(Math.sqrt(account.spentMu() * account.spentMu()));
      PrivacyLossDistribution both = PrivacyLossDistribution.of(
              new DominatingPair.RandomizedResponse(pure))
          .plus(PrivacyLossDistribution.of(new DominatingPair.Gaussian(earlier)));
      known = new Mixed(pure, GaussianDp.roundUp(both.epsilon(account.delta())));
      mixed = known;
    }
    return known.epsilon();
  }

  private record Mixed(double pure, double epsilon) {}

  @Override
  public boolean allows(Budget budget, long rounds) {
    return account.epsilon(rounds) <= budget.epsilon();
  }
}
