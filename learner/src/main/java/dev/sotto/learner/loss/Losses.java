package dev.sotto.learner.loss;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.NumberText;
import dev.sotto.learner.settings.Settings;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleFunction;

/**
 * Every loss of one score that a plan can name, with the labels that it takes and the setting of
 * its parameter; {@link Softmax} and {@link Network} have several scores.
 */
public enum Losses {
  LOGISTIC("logistic", "between 0 and 1", new Logistic()),
  SQUARED("squared", "any number", new Squared()),
  HINGE("hinge", "0 or 1", new Hinge()),
  SMOOTHED_HINGE("smoothed-hinge", "0 or 1", SmoothedHinge.SMOOTHING, SmoothedHinge::new),
  ABSOLUTE("absolute", "any number", new Absolute()),
  QUANTILE("quantile", "any number", Quantile.LEVEL, Quantile::new),
  HUBER("huber", "any number", Huber.THRESHOLD, Huber::new),
  POISSON("poisson", "at least 0", new Poisson());

  private final String configName;
  private final String labels;
  private final ConfigKey<Double> parameter; // null where there is none
  private final DoubleFunction<Loss> maker;

  Losses(String configName, String labels, Loss only) {
    this(configName, labels, null, parameter -> only);
  }

  Losses(
      String configName, String labels, ConfigKey<Double> parameter, DoubleFunction<Loss> maker) {
    this.configName = configName;
    this.labels = labels;
    this.parameter = parameter;
    this.maker = maker;
  }

  /** The loss with its default parameter. */
  public Loss make() {
    return make(hasParameter() ? parameter.standard() : Double.NaN);
  }

  /**
   * The loss with its parameter, which those without one do not read.
   *
   * @throws IllegalArgumentException where the loss refuses it
   */
  public Loss make(double value) {
    return maker.apply(value);
  }

  /** The loss with its parameter out of settings. */
  NamedObjective read(Settings settings) {
    if (!hasParameter()) {
      return new NamedObjective(configName, Objective.of(make()));
    }
    double value = settings.get(parameter);
    return new NamedObjective(
        configName + "(" + NumberText.shortest(value) + ")", Objective.of(make(value)));
  }

  /** Whether there is a parameter. */
  public boolean hasParameter() {
    return parameter != null;
  }

  /** The setting of the parameter, or empty where there is none. */
  Optional<ConfigKey<Double>> parameter() {
    return Optional.ofNullable(parameter);
  }

  /** The labels that it takes, for the manual. */
  String labels() {
    return labels;
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
