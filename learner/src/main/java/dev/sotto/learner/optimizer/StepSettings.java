package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.List;
import java.util.function.LongFunction;

/** The settings of the step sizes of {@link PrivateFtrl}. */
public final class StepSettings {
  /**
   * From this number of weights on, steps may exceed those of the worst curvature: with few weights
   * larger ones would follow the chance of a round's slots.
   */
  private static final int WIDE = 1 << 12;

  /** {@link #STEPS}: from the noise and the loss. */
  public static final String AUTO = "auto";

  private static final String DECREASING = "decreasing";
  /** {@link #STEPS}: the same in all rounds. */
  public static final String FIXED = "fixed";

  private static final long LARGE_ROUND = 4096;

  /** D of the step sizes where the set is unbounded and none is given. */
  private static final double DIAMETER_OF_ALL = 1;

  public static final ConfigKey<String> STEPS = ConfigKey.of(
          "ftrl.steps",
          Domain.oneOf(AUTO, DECREASING, FIXED),
          "Step sizes. `auto`: as large as the noise and the curvature of the loss allow. Those"
              + " of theorems: falling as 1/sqrt(round), or the same in all rounds of a horizon.")
      .orElse(AUTO);

  /** Whether coordinates that are mostly noise are shrunk. */
  public static final ConfigKey<Boolean> SHRINKAGE = ConfigKey.of(
          "ftrl.shrinkage",
          Domain.flag(),
          "Whether coordinates of the noisy sum near the size of its noise count less, so that"
              + " useless features do little harm. Costs no privacy.")
      .orElse(true)
      .onlyWith(STEPS, AUTO);

  public static final ConfigKey<Long> HORIZON = ConfigKey.of(
          "ftrl.steps.horizon",
          Domain.atLeast(1),
          "The number of rounds that fixed steps are made for.")
      .onlyWith(STEPS, FIXED);

  /** The factor of every step. */
  public static final ConfigKey<Double> MULTIPLIER = ConfigKey.of(
          "ftrl.steps.multiplier",
          Domain.positive(),
          "Multiplies every step. The guarantee does not cover trying several on the private"
              + " stream.")
      .orElse(1.0)
      .onlyWith(STEPS, DECREASING, FIXED);

  private static final ConfigKey<Double> DIAMETER = ConfigKey.of(
          "ftrl.diameter",
          Domain.positive(),
          "D of the step sizes, about the norm of good weights. Unless given, it follows from the"
              + " potential and the radius, else 1.")
      .optional()
      .onlyWith(STEPS, DECREASING, FIXED);

  static final List<ConfigKey<?>> KEYS = List.of(STEPS, SHRINKAGE, HORIZON, MULTIPLIER, DIAMETER);

  private StepSettings() {}

  /** The steps. */
  static StepSize read(Settings settings, Potential potential, RoundInputs inputs) {
    if (settings.get(STEPS).equals(AUTO)) {
      return noiseAware(settings, inputs);
    }
    double own = settings.make(DIAMETER, () -> potential.diameter(inputs.dimension()));
    double diameter = settings.find(DIAMETER).orElse(Double.isFinite(own) ? own : DIAMETER_OF_ALL);
    double scale = settings.get(MULTIPLIER)
        * settings.make(
            DIAMETER,
            () -> PrivateFtrl.stepScale(
                diameter,
                inputs.clip(),
                inputs.dimension(),
                inputs.noise().mechanism().incrementVariance(),
                inputs.noise().sigma(),
                inputs.batch()));
    if (settings.get(STEPS).equals(DECREASING)) {
      return settings.make(MULTIPLIER, () -> new StepSize.Decreasing(scale));
    }
    long horizon = settings.get(HORIZON);
    return settings.make(MULTIPLIER, () -> new StepSize.Fixed(scale, horizon));
  }

  /** {@link RoundSettings#clip} of these steps. */
  static double clip(Settings settings, StepScale known) {
    return settings.get(STEPS).equals(AUTO) ? known.autoClip() : known.clip();
  }

  /** {@link RoundSettings#batch} of these steps: those of theorems want large rounds. */
  static long batch(Settings settings, LearningProblem problem, LongFunction<PrefixNoise> noise) {
    return settings.get(STEPS).equals(AUTO)
        ? RoundSizes.small(problem.dimension(), noise, scale(problem))
        : LARGE_ROUND;
  }

  private static StepScale scale(LearningProblem problem) {
    return problem.require(STEPS, "must be " + DECREASING + " or " + FIXED);
  }

  private static StepSize noiseAware(Settings settings, RoundInputs inputs) {
    StepScale scale = scale(inputs.problem());
    return new StepSize.NoiseAware(
        inputs.noise().mechanism(),
        inputs.noise().sigma(),
        inputs.batch(),
        scale,
        settings.get(SHRINKAGE),
        inputs.lag() == 0 && inputs.dimension() >= WIDE);
  }
}
