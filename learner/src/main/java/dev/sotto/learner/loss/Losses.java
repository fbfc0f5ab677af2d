package dev.sotto.learner.loss;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleFunction;

/** Every loss that a plan can name. */
public enum Losses {
  LOGISTIC("logistic", threshold -> new Logistic()),
  SQUARED("squared", threshold -> new Squared()),
  HINGE("hinge", threshold -> new Hinge()),
  /** The only one that reads the threshold. */
  HUBER("huber", Huber::new);

  private final String configName;
  private final DoubleFunction<Loss> maker;

  Losses(String configName, DoubleFunction<Loss> maker) {
    this.configName = configName;
    this.maker = maker;
  }

  /** The loss with its default parameters. */
  public Loss make() {
    return make(Huber.DEFAULT_THRESHOLD);
  }

  /**
   * The loss with a threshold, which only {@link Huber} reads and checks.
   *
   * @param threshold positive and finite, in the label's unit
   */
  public Loss make(double threshold) {
    return maker.apply(threshold);
  }

  /** The name in configurations and snapshots. */
  public String configName() {
    return configName;
  }

  /** The loss of a configured name, or empty where there is none of that name. */
  public static Optional<Losses> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
