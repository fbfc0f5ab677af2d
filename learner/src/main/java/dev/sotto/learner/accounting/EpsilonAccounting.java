package dev.sotto.learner.accounting;

import dev.sotto.learner.participation.Participation;

/**
 * The epsilon of what a {@link PrivacyAccountant} counts, for one kind of noise. Safe for use by
 * several threads.
 */
interface EpsilonAccounting {
  /** That of an accountant's noise. */
  static EpsilonAccounting of(PrivacyAccountant account, AccountedNoise noise) {
    if (noise.mechanism().isPure()) {
      return new PureEpsilon(account);
    }
    return noise.mechanism().sampledSums().isEmpty()
        ? new GaussianEpsilon(account)
        : new SampledEpsilon(account, noise);
  }

  /** Which accountant computes the figures. */
  AccountingMethod method();

  /** Whether costs add up in squares of mu, so that those of metrics can be among them. */
  boolean addsUpInMu();

  /** Refuses a rule that rests on mu, where that is not what is counted. */
  default void check(Participation participation) {}

  /**
   * What the model's releases are in mu.
   *
   * @param once s / sigma of all participations together, as the mechanism adds them up
   */
  double mu(double once);

  /**
   * The epsilon of everything up to and with a round.
   *
   * @param mu of the same
   */
  double epsilon(long rounds, double mu);

  /** Whether a budget covers a number of rounds. */
  boolean allows(Budget budget, long rounds);
}
