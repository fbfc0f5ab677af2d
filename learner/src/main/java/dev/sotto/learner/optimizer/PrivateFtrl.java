package dev.sotto.learner.optimizer;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.memory.SpareArrays;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Private follow-the-regularised-leader: {@code w_{t+1} = argmin_W <G~_t, w> + Psi(w) / eta_{t+1}}
 * with the noisy prefix of batch means {@code G~_t}. Arora, Marinov, Ullah, "Private Stochastic
 * Convex Optimization: Efficient Algorithms for Non-smooth Objectives", Algorithm 1; the guarantee
 * is not the paper's but that of the noise mechanism (docs/privacy.md).
 *
 * @param potential Psi and W
 * @param steps eta_t
 */
public record PrivateFtrl(Potential potential, StepSize steps) implements Optimizer {
  private static final double[] NO_ANCHOR = {};

  /** Of weights. */
  private static final SpareArrays<double[]> SPARE = SpareArrays.ofDoubles(1);

  private static final ConfigKey<Potentials> POTENTIAL = ConfigKey.of(
          "ftrl.potential",
          Domain.choice(Potentials.values(), Potentials::configName),
          "The regulariser and the shape of the set that holds the weights. With loss network"
              + " it must be `l2`, around the network's start.")
      .orElse(Potentials.L2);

  static final ConfigKey<Double> RADIUS = ConfigKey.of(
          "ftrl.radius",
          Domain.numbers("positive, or inf", radius -> radius > 0),
          "The radius of the ball or the size of the simplex (which must be finite); `inf` for the"
              + " whole space.")
      .orElse(Double.POSITIVE_INFINITY)
      .onlyWith(POTENTIAL, Potentials.L2, Potentials.LP, Potentials.SIMPLEX);

  static final ConfigKey<Double> P = ConfigKey.of(
          "ftrl.p",
          Domain.numbers("above 1 and at most 2", p -> p > 1 && p <= 2),
          "The exponent of the norm.")
      .orElse(1.5)
      .onlyWith(POTENTIAL, Potentials.LP);

  static final ConfigKey<Double> MIN = ConfigKey.of(
          "ftrl.min", Domain.finite(), "The smallest value of a weight.")
      .onlyWith(POTENTIAL, Potentials.BOX);

  static final ConfigKey<Double> MAX = ConfigKey.of(
          "ftrl.max", Domain.finite(), "The largest value of a weight.")
      .onlyWith(POTENTIAL, Potentials.BOX);

  public static final List<ConfigKey<?>> KEYS = Stream.concat(
          Stream.of(POTENTIAL, RADIUS, P, MIN, MAX), StepSettings.KEYS.stream())
      .toList();

  public PrivateFtrl {
    Objects.requireNonNull(potential, "potential");
    Objects.requireNonNull(steps, "steps");
  }

  /** Its settings, which are checked before the number of weights is known. */
  public static RoundSettings read(Settings settings, NamedObjective objective) {
    Potentials kind = settings.get(POTENTIAL);
    kind.read(settings, null);
    return new RoundSettings() {
      @Override
      public Optimizer create(RoundInputs inputs) {
        double[] center = inputs.problem().center();
        if (center != null && kind != Potentials.L2) {
          throw settings.rejectValue(
              POTENTIAL,
              "be l2 with loss " + objective.name() + ", which starts at weights of its own");
        }
        Potential potential = kind.read(settings, center);
        return new PrivateFtrl(potential, StepSettings.read(settings, potential, inputs));
      }

      @Override
      public double clip(StepScale known) {
        return StepSettings.clip(settings, known);
      }

      @Override
      public long batch(LearningProblem problem, LongFunction<PrefixNoise> noise) {
        return StepSettings.batch(settings, problem, noise);
      }
    };
  }

  @Override
  public Section describe(PlanFigures plan) {
    return steps.describe(plan);
  }

  @Override
  public String describe() {
    return "potential=" + potential.describe() + " steps=" + steps.describe();
  }

  /**
   * The scale {@code D / Gbar} of the step sizes (docs/private-ftrl.md, "Step sizes"): Gbar^2
   * bounds the mean square of a round's mean gradient together with the change of its noise.
   *
   * @param diameter D, positive and finite
   * @param clip l2 bound of one gradient, and so of a mean of them
   * @param dimension number of weights
   * @param incrementVariance of the mechanism, for noise of standard deviation 1
   * @param sigma standard deviation of the noise per coordinate of the sum
   * @param batch slots in a round
   */
  public static double stepScale(
      double diameter,
      double clip,
      int dimension,
      double incrementVariance,
      double sigma,
      long batch) {
    double noise = sigma / batch;
    double scale =
        diameter / Math.sqrt(clip * clip + dimension * incrementVariance * noise * noise);
    if (!(scale > 0) || scale == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "the scale of the steps must be positive and finite, but a diameter of " + diameter
              + " gives " + scale);
    }
    return scale;
  }

  /**
   * It starts where Psi is least; from other weights than zeros, with Psi taken around the point of
   * W that is nearest to them in Psi's own geometry.
   */
  @Override
  public OptimizerState start(double[] first) {
    double[] weights = new double[first.length];
    potential.argmin(weights, steps.eta(1), weights);
    if (Arrays.stream(first).allMatch(weight -> weight == 0) || Arrays.equals(first, weights)) {
      return new Path(weights, NO_ANCHOR, raise());
    }
    double[] anchor = new double[first.length];
    potential.gradient(first, anchor);
    for (int i = 0; i < anchor.length; i++) {
      anchor[i] = -anchor[i];
    }
    potential.argmin(anchor, 1, anchor);
    return new Path(anchor.clone(), anchor, raise());
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    StepRaise raise = raise();
    double[] anchor = raise == null ? iterates.clone() : raise.resume(dimension, iterates, latest);
    if (anchor.length != 0 && anchor.length != dimension) {
      throw new IllegalArgumentException(
          "private-ftrl keeps the weights at which a generation began, none or " + dimension
              + ", but there were " + iterates.length);
    }
    if (latest == null) {
      return new Path(anchor.clone(), anchor, raise);
    }
    Path path = new Path(SPARE.any(dimension), anchor, raise); // the mean overwrites all of it
    latest.mean(path.weights);
    path.follow(latest.round());
    return path;
  }

  private StepRaise raise() {
    return steps instanceof StepSize.NoiseAware aware ? aware.raise() : null;
  }

  private final class Path implements OptimizerState {
    private final double[] weights;
    private final StepRaise raise; // null where steps follow from public numbers alone
    private double[] anchor; // the weights at which the generation began; empty in the first

    Path(double[] weights, double[] anchor, StepRaise raise) {
      this.weights = weights;
      this.anchor = anchor;
      this.raise = raise;
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public void tell(NoisySum answer) {
      if (raise == null) {
        answer.mean(weights);
      } else {
        raise.tell(answer, weights);
      }
      follow(answer.round());
    }

    /**
     * From the prefix to the weights. Around an anchor a, Psi(w) - Psi(a) - <Psi'(a), w - a> takes
     * the place of Psi: a warm start.
     */
    private void follow(long round) {
      double eta = raise == null ? steps.eta(round + 1) : raise.eta(round + 1);
      double noise = steps.shrinkage(round);
      CoordinateRanges.each(weights.length, (from, to) -> {
        if (raise != null) {
          raise.center(weights, from, to);
        }
        shrink(weights, noise, from, to);
      });
      if (anchor.length > 0) {
        double[] slope = new double[anchor.length];
        potential.gradient(anchor, slope);
        for (int i = 0; i < slope.length; i++) {
          weights[i] = PotentialChecks.saturated(weights[i] - slope[i] / eta);
        }
      }
      potential.argmin(weights, eta, weights);
    }

    /** x x^2 / (x^2 + s^2): what is far above the noise stays, what is far below it goes. */
    private static void shrink(double[] prefix, double noise, int from, int to) {
      for (int i = from; noise > 0 && i < to; i++) {
        double ratio = noise / prefix[i]; // infinite at 0, which stays 0
        prefix[i] /= 1 + ratio * ratio;
      }
    }

    @Override
    public void restart() {
      anchor = weights.clone();
      if (raise != null) {
        raise.restart();
      }
    }

    @Override
    public double[] iterates() {
      return raise == null ? anchor.clone() : raise.state(weights.length, anchor);
    }

    @Override
    public void recycle() {
      SPARE.give(weights);
      if (raise != null) {
        raise.recycle();
      }
    }
  }
}
