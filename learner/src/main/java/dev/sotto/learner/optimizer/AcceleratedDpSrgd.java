package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.NumberText;
import dev.sotto.learner.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * Accelerated DP-SRGD: few rounds of large batches, and two gradients an example. Choquette-Choo,
 * Ganesh, Thakurta, "Near-Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
 * Batches", Algorithm 1. With the noisy prefix of batch means S~ of the differences
 * {@code eta_t grad f(x_t) - eta_{t-1} grad f(x_{t-1})}, eta_t = t:
 *
 * <pre>
 * z_{t+1} = Proj(z_t - S~ / beta)
 * y_{t+1} = Proj(x_t - S~ / (eta_t beta))                          published
 * x_{t+1} = (1 - tau) y_{t+1} + tau z_{t+1}, tau = 2 / (t + 2)
 * </pre>
 *
 * <p>Rounds t count from 1 here, from 0 in the paper. The guarantee is that of the noise mechanism
 * (docs/privacy.md).
 *
 * @param set where the weights may lie
 * @param beta inverse step, positive and finite; at least the smoothness of the loss for the rate
 * @param accelerated whether there is a z; without it (section 4.3) x_{t+1} = y_{t+1}
 * @param gradients whether differences are asked for, or fresh gradients (section 5.5), of which
 *     each round's own noisy mean g~ is used: z takes eta_t g~, y takes g~
 */
public record AcceleratedDpSrgd(
    Projection set, double beta, boolean accelerated, Gradients gradients) implements Optimizer {
  /** What a round asks of each example. */
  public enum Gradients {
    /** The difference of two scaled gradients. */
    RECURSIVE,
    /** One gradient. */
    INDEPENDENT;

    /** The name in configurations. */
    public String configName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Rounds of a generation where nobody chooses another number: then it restarts, and forgets. */
  public static final long GENERATION = 32;

  private static final long LARGE_ROUND = 4096;

  private static final String ALL = "all";
  private static final String BALL = "l2";
  private static final String BOX = "box";

  private static final ConfigKey<Double> BETA = ConfigKey.of(
          "srgd.beta",
          Domain.positive(),
          "The inverse of the step: at least the smoothness of the loss, more with more noise."
              + " Unless this or the multiplier is given, it follows from both"
              + " (docs/accelerated-dp-srgd.md).")
      .optional();

  private static final ConfigKey<Double> BETA_MULTIPLIER = ConfigKey.of(
          "srgd.beta.multiplier",
          Domain.positive(),
          "srgd.beta as a multiple of the smoothness of the loss (docs/algorithms.md).")
      .optional();

  private static final ConfigKey<String> SET = ConfigKey.of(
          "srgd.set",
          Domain.oneOf(ALL, BALL, BOX),
          "The set that holds the weights: the whole space, a ball around zero (or the"
              + " network's start), or a box.")
      .orElse(ALL);

  private static final ConfigKey<Double> RADIUS =
      ConfigKey.of("srgd.radius", Domain.positive(), "The radius of the ball.").onlyWith(SET, BALL);

  private static final ConfigKey<Double> MIN = ConfigKey.of(
          "srgd.min", Domain.finite(), "The smallest value of a weight.")
      .onlyWith(SET, BOX);

  private static final ConfigKey<Double> MAX = ConfigKey.of(
          "srgd.max", Domain.finite(), "The largest value of a weight.")
      .onlyWith(SET, BOX);

  private static final ConfigKey<Boolean> ACCELERATED = ConfigKey.of(
          "srgd.accelerated",
          Domain.flag(),
          "Whether a second sequence of points accelerates it; without it large batches do"
              + " worse.")
      .orElse(true);

  private static final ConfigKey<Gradients> GRADIENTS = ConfigKey.of(
          "srgd.gradients",
          Domain.choice(Gradients.values(), Gradients::configName),
          "What each example contributes: the difference of two scaled gradients (`recursive`), or"
              + " one fresh gradient (`independent`).")
      .orElse(Gradients.RECURSIVE);

  public static final List<ConfigKey<?>> KEYS =
      List.of(BETA, BETA_MULTIPLIER, SET, RADIUS, MIN, MAX, ACCELERATED, GRADIENTS);

  public AcceleratedDpSrgd {
    Objects.requireNonNull(set, "set");
    Objects.requireNonNull(gradients, "gradients");
    if (!(beta > 0) || beta == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("beta must be positive and finite, but was " + beta);
    }
  }

  /** Its settings, which are checked before the number of weights is known. */
  public static RoundSettings read(Settings settings, NamedObjective objective) {
    boolean sound = Settings.attempt(() -> set(settings, null)).isPresent();
    boolean auto = !settings.isGiven(BETA) && !settings.isGiven(BETA_MULTIPLIER);
    double given = auto ? 0 : beta(settings, objective); // errors of both are reported at once
    if (!sound) {
      throw new InvalidSettingException(SET.name());
    }
    return new RoundSettings() {
      @Override
      public Optimizer create(RoundInputs inputs) {
        return new AcceleratedDpSrgd(
            set(settings, inputs.problem().center()),
            auto ? beta(inputs) : given,
            settings.get(ACCELERATED),
            settings.get(GRADIENTS));
      }

      @Override
      public long batch(LearningProblem problem, LongFunction<PrefixNoise> noise) {
        return auto
            ? RoundSizes.large(problem.dimension(), noise, problem.require(BETA, "must be given"))
            : LARGE_ROUND;
      }
    };
  }

  /**
   * What noise allows: the prefix of a generation's last rounds moves y by s / (B beta), and x by
   * about twice as much through z. The factor 2 keeps it stable where the data drift, and where
   * single rounds are far from the mean (docs/accelerated-dp-srgd.md, "Parameters").
   */
  private static double beta(RoundInputs inputs) {
    StepScale scale = inputs.problem().require(BETA, "must be given");
    double noise = inputs.noise().isNone() ? 0 : inputs.noise().deviation(inputs.batch());
    return 2 * Math.max(scale.curvature(), 2 * noise / (scale.noise() * inputs.batch()));
  }

  private static Projection set(Settings settings, double[] center) {
    return switch (settings.get(SET)) {
      case BALL -> new EuclideanBall(center, settings.get(RADIUS));
      case BOX -> {
        double low = settings.get(MIN);
        double high = settings.get(MAX);
        yield settings.make(MIN, () -> new Box(low, high));
      }
      default -> new EuclideanBall(null, Double.POSITIVE_INFINITY);
    };
  }

  private static double beta(Settings settings, NamedObjective objective) {
    boolean multiplied = settings.isGiven(BETA_MULTIPLIER);
    double smoothness = objective.objective().smoothness();
    if (!settings.isGiven(BETA) && smoothness == Double.POSITIVE_INFINITY) {
      throw settings.reject(
          multiplied ? BETA_MULTIPLIER : BETA,
          (multiplied ? "cannot work" : "must be given") + " with loss " + objective.name()
              + ", which has no smoothness that beta could be a multiple of; give " + BETA);
    }
    String why = "the inverse of the step (the smoothness of loss " + objective.name() + " is "
        + NumberText.shortest(smoothness) + ")";
    if (settings.isFirstOfTwo(BETA, BETA_MULTIPLIER, why)) {
      return settings.get(BETA);
    }
    double beta = settings.get(BETA_MULTIPLIER) * smoothness;
    if (!(beta > 0) || beta == Double.POSITIVE_INFINITY) {
      throw settings.rejectValue(BETA_MULTIPLIER, "give a beta that is positive and finite");
    }
    return beta;
  }

  @Override
  public String describe() {
    String canonical =
        set instanceof EuclideanBall ball && ball.isWholeSpace() ? ALL : set.describe();
    return "set=" + canonical + " beta=" + Double.toHexString(beta) + " accelerated=" + accelerated
        + " gradients=" + gradients.configName();
  }

  @Override
  public boolean isRecursive() {
    return gradients == Gradients.RECURSIVE;
  }

  @Override
  public double scale(long t) {
    return isRecursive() ? t : 1;
  }

  @Override
  public OptimizerState start(double[] first) {
    double[] inside = first.clone();
    set.project(inside);
    return new Iterates(inside);
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    int expected = accelerated ? 3 * dimension : dimension;
    if (iterates.length != expected) {
      throw new IllegalArgumentException("the algorithm keeps " + expected + " numbers for "
          + dimension + " weights, but there were " + iterates.length);
    }
    Iterates course = new Iterates(Arrays.copyOf(iterates, dimension));
    if (accelerated) {
      course.z = Arrays.copyOfRange(iterates, dimension, 2 * dimension);
      course.x = Arrays.copyOfRange(iterates, 2 * dimension, 3 * dimension);
    }
    return course;
  }

  private final class Iterates implements OptimizerState {
    private final double[] y;
    private final double[] mean;
    private double[] z;
    private double[] x;

    Iterates(double[] first) {
      y = first;
      mean = new double[first.length];
      restart();
    }

    @Override
    public double[] weights() {
      return y;
    }

    @Override
    public double[] point() {
      return x;
    }

    @Override
    public void tell(NoisySum answer) {
      double eta = answer.round();
      if (isRecursive()) {
        answer.mean(mean);
      } else {
        answer.lastMean(mean);
      }
      double intoY = isRecursive() ? eta * beta : beta;
      double[] from = x;
      for (int i = 0; i < y.length; i++) {
        y[i] = from[i] - mean[i] / intoY;
      }
      set.project(y);
      if (!accelerated) {
        return;
      }
      double times = isRecursive() ? 1 : eta;
      for (int i = 0; i < z.length; i++) {
        z[i] -= times * mean[i] / beta;
      }
      set.project(z);
      double tau = 2 / (eta + 2);
      for (int i = 0; i < x.length; i++) {
        x[i] = PotentialChecks.saturated((1 - tau) * y[i] + tau * z[i]);
      }
    }

    @Override
    public void restart() {
      z = accelerated ? y.clone() : null;
      x = accelerated ? y.clone() : y;
    }

    @Override
    public double[] iterates() {
      if (!accelerated) {
        return y.clone();
      }
      double[] all = Arrays.copyOf(y, 3 * y.length);
      System.arraycopy(z, 0, all, y.length, z.length);
      System.arraycopy(x, 0, all, 2 * y.length, x.length);
      return all;
    }
  }
}
