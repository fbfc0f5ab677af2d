package dev.sotto.evaluation.plan;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.training.Plan;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The parameters of a plan's mechanism whose noise disturbs a learner least, where its number of
 * slots is known beforehand (docs/experiments/horizon.md). A function of public numbers,
 * and no part of the guarantee: the noise is made for the whole budget under any set, and what it
 * costs holds for ever.
 *
 * @param key the setting that names it
 * @param set its name
 * @param endless the name of the set for a stream without an end
 */
public record QuietestSet(ConfigKey<?> key, String set, String endless) {
  /**
   * Prefixes whose errors count: new gradients make up for noise that came much earlier. None may
   * exceed that of the default.
   */
  private static final long[] PREFIXES = {4, 16, 64, 256, 1024};

  /** By how much the error after all slots may exceed that of the default: steps fall with it. */
  private static final double AT_THE_END = 1.1;

  /** The setting that names the set; empty where the mechanism has none to choose from. */
  public static Optional<ConfigKey<?>> keyOf(PlanScenario scenario) {
    return mechanism(scenario).flatMap(Mechanisms::parameterKey);
  }

  /**
   * The set, in rounds of the plan's size.
   *
   * @param slots of one model, at least 1
   */
  public static QuietestSet of(long slots, PlanScenario scenario) {
    if (slots < 1) {
      throw new IllegalArgumentException("slots must be at least 1, but were " + slots);
    }
    Plan plan = scenario.plan();
    Mechanisms mechanism = mechanism(scenario).orElseThrow();
    long rounds = (slots - 1) / plan.batch() + 1;
    String quietest = mechanism.make().set();
    double[] ofUsual = errors(scenario, mechanism.make(), rounds);
    double least = 1;
    for (String set : mechanism.sets()) {
      double ratio = ratio(errors(scenario, mechanism.make(set), rounds), ofUsual);
      if (ratio < least) {
        least = ratio;
        quietest = set;
      }
    }
    return new QuietestSet(
        keyOf(scenario).orElseThrow(), quietest, mechanism.endlessSet().orElseThrow());
  }

  /** Of the errors that count, and at the end of the one after all rounds. */
  private static double[] errors(PlanScenario scenario, PrefixMechanism mechanism, long rounds) {
    double sigma = MinimumNoise.sigma(scenario, mechanism, scenario.horizon());
    return LongStream.concat(LongStream.of(PREFIXES), LongStream.of(Long.MAX_VALUE))
        .map(each -> Math.min(each, rounds))
        .mapToDouble(each -> scenario.error(mechanism, sigma, each).worst())
        .toArray();
  }

  /** The geometric mean of ratios of errors; infinite where one is too large. */
  private static double ratio(double[] errors, double[] ofUsual) {
    double product = 1;
    for (int i = 0; i < PREFIXES.length; i++) {
      double ratio = errors[i] / ofUsual[i];
      product *= ratio > 1 ? Double.POSITIVE_INFINITY : ratio;
    }
    double end = errors[PREFIXES.length] / ofUsual[PREFIXES.length];
    return end > AT_THE_END ? Double.POSITIVE_INFINITY : Math.pow(product, 1.0 / PREFIXES.length);
  }

  private static Optional<Mechanisms> mechanism(PlanScenario scenario) {
    return Mechanisms.named(scenario.plan().mechanism().name());
  }
}
