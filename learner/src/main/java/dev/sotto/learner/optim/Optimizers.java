package dev.sotto.learner.optim;

import java.util.Arrays;
import java.util.Optional;

/** Every algorithm that a plan can name. */
public enum Optimizers {
  PRIVATE_FTRL("private-ftrl") {
    @Override
    public Optimizer make(Potential potential, StepSize steps) {
      return new PrivateFtrl(potential, steps);
    }
  };

  private final String configName;

  Optimizers(String configName) {
    this.configName = configName;
  }

  /** The optimizer over a set with a potential, with these steps. */
  public abstract Optimizer make(Potential potential, StepSize steps);

  /** The name in configurations, snapshots and ledgers. */
  public String configName() {
    return configName;
  }

  /** The algorithm of a configured name, or empty where there is none of that name. */
  public static Optional<Optimizers> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
