package dev.sotto.learner.privacy;

import java.util.Arrays;
import java.util.Optional;

/**
 * What may have turned a mechanism into a published epsilon; the ledger names it (privacy.md
 * section 6).
 */
public enum Accountant {
  /** {@link GaussianDp}: exact, for anything that is one Gaussian mechanism. */
  GAUSSIAN_DP("gaussian-dp", "exact for one Gaussian mechanism"),
  /** Epsilons of pure mechanisms, added up; needs no delta. */
  PURE("pure", "epsilons of mechanisms without a delta, added up"),
  /** {@link PrivacyLossDistribution}: close from above, for any mixture. */
  PRIVACY_LOSS_DISTRIBUTION(
      "privacy-loss-distribution", "a discretised distribution of the privacy loss, from above"),
  /** {@link RenyiDp}: a little loose, for any mixture. */
  RENYI("renyi", "Renyi divergences of all orders, added up");

  private final String configName;
  private final String sentence;

  Accountant(String configName, String sentence) {
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
  public static Optional<Accountant> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
