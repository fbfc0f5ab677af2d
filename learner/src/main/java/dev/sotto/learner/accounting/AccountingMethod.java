package dev.sotto.learner.accounting;

/**
 * What may have turned a mechanism into a published epsilon; the ledger names it (docs/privacy.md,
 * "The ledger").
 */
public enum AccountingMethod {
  /** {@link GaussianDp}: exact, for anything that is one Gaussian mechanism. */
  GAUSSIAN_DP("gaussian-dp"),
  /** {@link ApproximateGaussianDp}: a Gaussian mechanism but for failures, charged to delta. */
  APPROXIMATE_GAUSSIAN_DP("approximate-gaussian-dp"),
  /** Epsilons of pure mechanisms, added up; needs no delta. */
  PURE("pure"),
  /** {@link PrivacyLossDistribution}: close from above, for any mixture. */
  PRIVACY_LOSS_DISTRIBUTION("privacy-loss-distribution");

  private final String configName;

  AccountingMethod(String configName) {
    this.configName = configName;
  }

  /** The name in published records. */
  public String configName() {
    return configName;
  }
}
