package dev.sotto.learner.loss;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleFunction;

/** Every loss of one score that a plan can name; {@link Softmax} and {@link Network} have several scores. */
public enum Losses {
  LOGISTIC("logistic", new Logistic()),
  SQUARED("squared", new Squared()),
  HINGE("hinge", new Hinge()),
  /** Its parameter is the margin's width that is curved. */
  SMOOTHED_HINGE("smoothed-hinge", SmoothedHinge.DEFAULT_SMOOTHING, SmoothedHinge::new),
  ABSOLUTE("absolute", new Absolute()),
  /** Its parameter is the level, above 0 and below 1. */
  QUANTILE("quantile", Quantile.DEFAULT_LEVEL, Quantile::new),
  /** Its parameter is the threshold, in the label's unit. */
  HUBER("huber", Huber.DEFAULT_THRESHOLD, Huber::new),
  POISSON("poisson", new Poisson());

  private final String configName;
  private final double usual; // NaN where there is no parameter
  private final DoubleFunction<Loss> maker;

  Losses(String configName, Loss only) {
    this(configName, Double.NaN, parameter -> only);
  }

  Losses(String configName, double usual, DoubleFunction<Loss> maker) {
    this.configName = configName;
    this.usual = usual;
    this.maker = maker;
  }

  /** The loss with its default parameter. */
  public Loss make() {
    return make(usual);
  }

  /**
   * The loss with its parameter, which those without one do not read.
   *
   * @throws IllegalArgumentException where the loss refuses it
   */
  public Loss make(double parameter) {
    return maker.apply(parameter);
  }

  /** Whether there is a parameter. */
  public boolean hasParameter() {
    return !Double.isNaN(usual);
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
