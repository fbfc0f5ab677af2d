package dev.sotto.learner.accounting;

import java.util.Arrays;
import java.util.Optional;

/**
 * What may have turned a mechanism into a published epsilon; the ledger names it (docs/privacy.md,
 * "The ledger").
 */
public enum AccountingMethod {
  /** {@link GaussianDp}: exact, for anything that is one Gaussian mechanism. */
  GAUSSIAN_DP("gaussian-dp", "exact for one Gaussian mechanism"),
  /** {@link ApproximateGaussianDp}: a Gaussian mechanism but for failures, charged to delta. */
  APPROXIMATE_GAUSSIAN_DP(
      "approximate-gaussian-dp", "one Gaussian mechanism, but for failures that delta pays for"),
  /** Epsilons of pure mechanisms, added up; needs no delta. */
  PURE("pure", "epsilons of mechanisms without a delta, added up"),
  /** {@link PrivacyLossDistribution}: close from above, for any mixture. */
  PRIVACY_LOSS_DISTRIBUTION(
      "privacy-loss-distribution", "a discretised distribution of the privacy loss, from above");

  private final String configName;
  private final String sentence;

  AccountingMethod(String configName, String sentence) {
    this.configName = configName;
    this.sentence = sentence;
  }

  /** The name in published records. */
  public String configName() {
    return configName;
  }

  /** What the word means, as half a sentence. */
  public String sentence() {
    return sentence;
  }

  /** The constant of a published name, or empty where there is none of that name. */
  public static Optional<AccountingMethod> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
