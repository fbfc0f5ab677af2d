package dev.sotto.learner.accounting;

import dev.sotto.learner.participation.Participation;

/**
 * Of sums that slots enter by secret coins: by the distribution of the privacy loss, and never more
 * than without coins.
 */
final class SampledEpsilon extends GaussianEpsilon {
  private final PrivacyAccountant account;
  private final SampledLosses losses;

  SampledEpsilon(PrivacyAccountant account, AccountedNoise noise) {
    super(account);
    this.account = account;
    this.losses = SampledLosses.of(noise.mechanism().sampledSums(), noise.sigma() / noise.clip());
  }

  @Override
  public AccountingMethod method() {
    return AccountingMethod.PRIVACY_LOSS_DISTRIBUTION;
  }

  @Override
  public boolean addsUpInMu() {
    return false;
  }

  @Override
  public void check(Participation participation) {
    if (participation.isBudgeted()) {
      throw new IllegalArgumentException("participation must be once, first-of-id or scheduled with"
          + " mechanism " + account.mechanism().name() + ", since a budget per unit adds up mu, and"
          + " secret sampling is not counted in mu, but is " + participation.describe());
    }
  }

  @Override
  public double epsilon(long rounds, double mu) {
    double unsampled = exact(rounds, mu);
    return GaussianDp.roundUp(
        unsampled == 0 || unsampled == Double.POSITIVE_INFINITY
            ? unsampled
            : Math.min(unsampled, losses.epsilon(account.composition(rounds, account.delta()))));
  }

  @Override
  public boolean allows(Budget budget, long rounds) {
    return super.allows(budget, rounds)
        || account.mu(rounds) < Double.POSITIVE_INFINITY
            && losses.isWithin(budget.epsilon(), account.composition(rounds, budget.delta()));
  }
}
