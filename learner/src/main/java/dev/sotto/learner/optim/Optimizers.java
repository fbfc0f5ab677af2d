package dev.sotto.learner.optim;

import java.util.Arrays;
import java.util.Optional;

/** Every algorithm that a plan can name. */
public enum Optimizers {
  /** {@link PrivateFtrl}. */
  PRIVATE_FTRL("private-ftrl"),
  /** {@link AcceleratedDpSrgd}. */
  ACCELERATED_DP_SRGD("accelerated-dp-srgd");

  private final String configName;

  Optimizers(String configName) {
    this.configName = configName;
  }

  /** The name in configurations, snapshots and ledgers. */
  public String configName() {
    return configName;
  }

  /** The algorithm of a configured name, or empty where there is none of that name. */
  public static Optional<Optimizers> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
