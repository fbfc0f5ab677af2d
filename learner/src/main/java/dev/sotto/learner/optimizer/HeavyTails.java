package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.AcSaSteps;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.heavytail.ClippedSgd;
import dev.sotto.learner.optimizer.heavytail.Curvature;
import dev.sotto.learner.optimizer.heavytail.EpochSchedule;
import dev.sotto.learner.optimizer.heavytail.LocalMoments;
import dev.sotto.learner.optimizer.heavytail.LocalizedErm;
import dev.sotto.learner.optimizer.heavytail.LocalizedSchedule;
import dev.sotto.learner.optimizer.heavytail.Moments;
import dev.sotto.learner.optimizer.heavytail.Phase;
import dev.sotto.learner.optimizer.heavytail.ProxClippedSgd;
import dev.sotto.learner.optimizer.heavytail.ProxSchedule;
import dev.sotto.learner.optimizer.heavytail.ProximalMap;
import dev.sotto.learner.optimizer.heavytail.QuantileClip;
import dev.sotto.learner.optimizer.heavytail.SgdSchedule;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The settings of the algorithms for heavy-tailed gradients (docs/heavy-tails.md). Every number of a
 * schedule follows from them, from the loss and from the noise: all of these are public.
 */
final class HeavyTails {
  /** Slots of a block where nobody chooses (docs/experiments/heavy-tails.md, "Defaults"). */
  private static final long LARGE = 1 << 16;

  private static final long SMALL = 1 << 14;

  /** Phases of fewer slots move the weights by nearly nothing, and take as many queries. */
  private static final long LEAST_PHASE = 8;

  static final ConfigKey<Double> MOMENT = ConfigKey.of(
          "heavy.moment",
          Domain.positive(),
          "r_k: a bound of the k-th root of the mean k-th power of gradient norms, from public"
              + " knowledge. Number of steps and clip follow from it. Unless given, gradients count"
              + " as no longer than clip.norm, or than the loss says.")
      .optional();

  static final ConfigKey<Double> ORDER = ConfigKey.of(
          "heavy.moment.order",
          Domain.numbers("at least 2 and finite", k -> k >= 2 && k < Double.POSITIVE_INFINITY),
          "k of heavy.moment.")
      .orElse(2.0);

  static final ConfigKey<Double> SECOND = ConfigKey.of(
          "heavy.moment.second",
          Domain.positive(),
          "r_2, where less than heavy.moment: the same of order 2.")
      .optional();

  static final ConfigKey<Double> TWICE = ConfigKey.of(
          "heavy.moment.twice",
          Domain.positive(),
          "r_2k, which this algorithm needs besides heavy.moment: the same of order 2k.")
      .optional();

  static final ConfigKey<Double> DIAMETER = ConfigKey.of(
          "heavy.diameter",
          Domain.positive(),
          "D: weights stay in a ball of this diameter around zero (with loss network around its"
              + " start), and steps are made for it.")
      .orElse(80.0);

  static final ConfigKey<Double> SMOOTHNESS = ConfigKey.of(
          "heavy.smoothness",
          Domain.positive(),
          "The smoothness of the mean loss. Unless given, that of the loss at features of norm 1:"
              + " with features.norm none give it.")
      .optional();

  static final ConfigKey<Double> CONVEXITY = ConfigKey.of(
          "heavy.strong.convexity",
          Domain.positive(),
          "The modulus of strong convexity of the mean loss, where it is known to have one.")
      .optional();

  static final ConfigKey<Double> REGULARIZATION = ConfigKey.of(
          "heavy.regularization",
          Domain.numbers(
              "at least 0 and finite", value -> value >= 0 && value < Double.POSITIVE_INFINITY),
          "Half of this times the squared distance of the weights from those at which the block"
              + " starts is added to the loss. It makes the loss strongly convex, and costs no privacy. Unless given, 0"
              + " where heavy.strong.convexity is given, and a share of the smoothness where not.")
      .optional();

  static final ConfigKey<Double> L1 = ConfigKey.of(
          "prox.l1",
          Domain.numbers(
              "at least 0 and finite", value -> value >= 0 && value < Double.POSITIVE_INFINITY),
          "The factor of the l1 norm of the weights, which is added to the loss: weights that tell little become 0. It"
              + " costs no privacy.")
      .orElse(0.0);

  static final ConfigKey<Double> BOX = ConfigKey.of(
          "prox.box",
          Domain.positive(),
          "The largest magnitude of a weight. Unless given, half of heavy.diameter.")
      .optional();

  static final ConfigKey<Long> CAP = ConfigKey.of(
          "localized.cap",
          Domain.between(1, 1L << 40),
          "The most passes of a phase over its slots. The paper asks for far more: a very large cap"
              + " gives its numbers, and takes years.")
      .orElse(400L);

  private static final String CLIPPED_MEAN = "clipped-mean";
  private static final String MEDIAN_OF_MEANS = "median-of-means";

  static final ConfigKey<String> ORACLE = ConfigKey.of(
          "heavy.oracle",
          Domain.oneOf(CLIPPED_MEAN, MEDIAN_OF_MEANS),
          "How a batch of gradients becomes one: the mean of gradients cut in l2, or, as a baseline"
              + " to compare with, each coordinate's median of the means of heavy.groups groups, whose"
              + " coordinates are cut at the clip over the root of the number of weights.")
      .orElse(CLIPPED_MEAN);

  static final ConfigKey<Integer> MEDIAN_GROUPS = ConfigKey.of(
          "heavy.groups", Domain.intBetween(3, 9999), "Groups of a batch's slots: an odd number.")
      .orElse(9)
      .when(ORACLE, MEDIAN_OF_MEANS);

  private static final String AUTO = "auto";
  private static final String RULE = "rule";
  private static final String QUANTILE = "quantile";

  static final ConfigKey<String> CLIP = ConfigKey.of(
          "heavy.clip",
          Domain.oneOf(AUTO, RULE, QUANTILE),
          "Whether all blocks have one clip, that of clip.norm, of the moment or of the loss (rule), or"
              + " the first block alone, and every later one a quantile of the norms of gradients,"
              + " which the block before has released with noise (quantile). Then a block is read once"
              + " more at its end, and a twentieth of its squared mu pays for that. auto: quantile where"
              + " the moment decides, since its clip is far too large for most data; else rule.")
      .orElse(AUTO);

  /** The share of a block's squared mu that counting costs (docs/experiments/heavy-tails.md). */
  private static final double COUNTING = 0.05;

  private static final List<ConfigKey<?>> ALL =
      List.of(BlockKeys.SLOTS, MOMENT, ORDER, SECOND, DIAMETER, CLIP);

  static final List<ConfigKey<?>> AC_SA_KEYS = and(SMOOTHNESS);
  static final List<ConfigKey<?>> SGD_KEYS =
      and(SMOOTHNESS, CONVEXITY, REGULARIZATION, ORACLE, MEDIAN_GROUPS);
  static final List<ConfigKey<?>> PROX_KEYS = and(SMOOTHNESS, CONVEXITY, REGULARIZATION, L1, BOX);
  static final List<ConfigKey<?>> LOCALIZED_KEYS = and(TWICE, CONVEXITY, CAP);

  private final Settings settings;
  private final BlockInputs inputs;
  private final BlockSize size;
  private final Moments moments;
  private final OptionalDouble clip;
  private final boolean quantile;

  private static List<ConfigKey<?>> and(ConfigKey<?>... more) {
    List<ConfigKey<?>> keys = new ArrayList<>(ALL);
    keys.addAll(Arrays.asList(more));
    return List.copyOf(keys);
  }

  private HeavyTails(Settings settings, BlockInputs inputs, long standard) {
    this.settings = settings;
    this.inputs = inputs;
    long chosen = inputs.slots() > 0 ? inputs.slots() : settings.get(BlockKeys.SLOTS);
    // The paper's noise is that of replaced contents; where these become null slots it is half as
    // large at the same mu, as of replaced contents at twice the mu.
    double mu = 2 / inputs.noise();
    this.quantile = isQuantile();
    this.size = new BlockSize(
        chosen > 0 ? chosen : standard,
        inputs.dimension(),
        quantile ? mu * Math.sqrt(1 - COUNTING) : mu);
    Optional<Double> moment = settings.find(MOMENT);
    this.clip = inputs.clip().isPresent() || moment.isPresent()
        ? inputs.clip()
        : OptionalDouble.of(clipOfLoss());
    double bound = moment.orElseGet(clip::getAsDouble);
    this.moments = moment.isPresent()
        ? settings.make(
            SECOND,
            () -> new Moments(settings.get(ORDER), bound, settings.find(SECOND).orElse(bound)))
        : Moments.bounded(bound);
  }

  /** One pass, smooth losses. */
  static OptimizerSettings acSa(Settings settings, NamedObjective objective) {
    return settings(settings, AC_SA_KEYS, LARGE, HeavyTails::acSa);
  }

  /** One pass, smooth and strongly convex losses. */
  static OptimizerSettings sgd(Settings settings, NamedObjective objective) {
    return settings(settings, SGD_KEYS, SMALL, HeavyTails::sgd);
  }

  /** One pass, a term with a proximal map. */
  static OptimizerSettings prox(Settings settings, NamedObjective objective) {
    return settings(settings, PROX_KEYS, SMALL, HeavyTails::prox);
  }

  /** Several passes, losses with kinks. */
  static OptimizerSettings localized(Settings settings, NamedObjective objective) {
    return settings(settings, LOCALIZED_KEYS, SMALL, HeavyTails::localized);
  }

  private static OptimizerSettings settings(
      Settings settings,
      List<ConfigKey<?>> keys,
      long standard,
      Function<HeavyTails, BlockAlgorithm> maker) {
    InvalidSettingException last = null;
    for (ConfigKey<?> key : keys) { // errors of all of them are reported at once
      try {
        settings.find(key);
      } catch (InvalidSettingException recorded) {
        last = recorded;
      }
    }
    for (ConfigKey<?> key : List.of(ORDER, SECOND, TWICE)) {
      boolean asUnless = key == ORDER && settings.get(ORDER).equals(ORDER.standard());
      if (keys.contains(key) && settings.isGiven(key) && !asUnless && !settings.isGiven(MOMENT)) {
        last = settings.reject(key, "means nothing without " + MOMENT + "; give it too");
      }
    }
    if (last != null) {
      throw last;
    }
    return new OptimizerSettings() {
      @Override
      public boolean hasOwnMechanism() {
        return true;
      }

      @Override
      public BlockDesign design(BlockInputs inputs) {
        HeavyTails known = new HeavyTails(settings, inputs, standard);
        BlockAlgorithm algorithm =
            settings.make(BlockKeys.SLOTS, () -> known.following(maker.apply(known)));
        int groups = known.groups();
        BlockOptimizer optimizer =
            settings.make(MEDIAN_GROUPS, () -> new BlockOptimizer(algorithm, groups));
        return new BlockDesign(
            optimizer.queries().slots(),
            algorithm.clip(),
            settings.make(BlockKeys.SLOTS, () -> new QueryNoise(optimizer.queries())),
            optimizer);
      }
    };
  }

  /** With a bound of the loss, or a clip that somebody chose, a quantile gains little. */
  private boolean isQuantile() {
    String chosen = settings.get(CLIP);
    boolean moment = settings.isGiven(MOMENT) && inputs.clip().isEmpty() && groups() == 1;
    return chosen.equals(QUANTILE) || chosen.equals(AUTO) && moment;
  }

  /** The algorithm, with a clip that follows its gradients where the settings say so. */
  private BlockAlgorithm following(BlockAlgorithm algorithm) {
    if (!quantile) {
      return algorithm;
    }
    if (groups() > 1) {
      throw settings.reject(CLIP, "must be " + RULE + " with " + ORACLE + " " + MEDIAN_OF_MEANS);
    }
    double target = QuantileClip.target(algorithm, size);
    return new QuantileClip(algorithm, COUNTING, target, inputs.dimension(), inputs.noise());
  }

  private BlockAlgorithm acSa() {
    double smoothness = smoothness();
    AcSaSchedule schedule = AcSaSchedule.of(size, moments, smoothness, diameter(), clip);
    double second = settings.isGiven(MOMENT) ? moments.second() : Double.POSITIVE_INFINITY;
    return quantile
        ? new ClippedAcSa(schedule, ball(), new AcSaSteps(size, second, smoothness, diameter()))
        : new ClippedAcSa(schedule, ball());
  }

  private BlockAlgorithm sgd() {
    double smoothness = smoothness();
    double lambda = regularization(smoothness);
    Curvature curvature = curvature(smoothness + lambda, lambda);
    SgdSchedule schedule = SgdSchedule.of(size, moments, curvature, diameter(), clip);
    return new ClippedSgd(wholeGroups(schedule), lambda, ball());
  }

  /** Batches of as many slots as make whole groups. */
  private SgdSchedule wholeGroups(SgdSchedule schedule) {
    long batch = schedule.batch() / groups() * groups();
    if (batch == 0) {
      throw settings.reject(
          MEDIAN_GROUPS,
          "must be at most the " + schedule.batch() + " slots of a batch, but was " + groups());
    }
    return new SgdSchedule(
        schedule.last(), batch, schedule.clip(), schedule.noise(), schedule.curvature());
  }

  private int groups() {
    return settings.isGiven(ORACLE) && settings.get(ORACLE).equals(MEDIAN_OF_MEANS)
        ? settings.get(MEDIAN_GROUPS)
        : 1;
  }

  private BlockAlgorithm prox() {
    double smoothness = smoothness();
    double lambda = regularization(smoothness);
    // How much worse the start is: what a smooth loss falls by over the diameter, at most.
    double gap = smoothness * diameter() * diameter() / 2;
    ProxSchedule schedule =
        ProxSchedule.of(size, moments, curvature(smoothness, lambda), gap, clip);
    double box = settings.find(BOX).orElse(diameter() / 2);
    return new ProxClippedSgd(schedule, new ProximalMap(settings.get(L1), lambda, box));
  }

  private BlockAlgorithm localized() {
    LocalMoments local = localMoments();
    List<LocalizedSchedule> schedules = settings
        .find(CONVEXITY)
        .map(convexity -> EpochSchedule.of(
            size, EpochSchedule.halves(size.slots()), local, diameter(), convexity))
        .orElseGet(() -> List.of(new LocalizedSchedule(size, local, diameter())));
    // A clip that is given is that of the largest phase; others are to it as by the moment rule.
    LocalizedSchedule largest = schedules.get(schedules.size() - 1);
    double share = clip.isPresent() ? clip.getAsDouble() / largest.firstClip() : 1;
    List<Phase> phases = new ArrayList<>();
    for (LocalizedSchedule each : schedules) {
      phases.addAll(each.phases(settings.get(CAP), LEAST_PHASE, slots -> share * each.clip(slots)));
    }
    return new LocalizedErm(phases, ball());
  }

  private LocalMoments localMoments() {
    if (!settings.isGiven(MOMENT)) {
      return LocalMoments.bounded(moments.moment());
    }
    if (!settings.isGiven(TWICE)) {
      throw settings.reject(
          TWICE, "must be given with " + MOMENT + ": the algorithm needs moments of both orders");
    }
    return settings.make(TWICE, () -> new LocalMoments(moments, settings.get(TWICE)));
  }

  private double regularization(double smoothness) {
    return settings.find(REGULARIZATION).orElse(settings.isGiven(CONVEXITY) ? 0 : smoothness / 10);
  }

  private Curvature curvature(double smoothness, double lambda) {
    double convexity = settings.find(CONVEXITY).orElse(0.0) + lambda;
    if (convexity == 0) {
      throw settings.reject(
          REGULARIZATION,
          "must be above 0, or " + CONVEXITY + " be given: the algorithm needs strong convexity");
    }
    return settings.make(CONVEXITY, () -> new Curvature(smoothness, convexity));
  }

  private double diameter() {
    return settings.get(DIAMETER);
  }

  private Ball ball() {
    double[] start = new double[inputs.dimension()];
    inputs.objective().objective().start(start);
    boolean zero = Arrays.stream(start).allMatch(weight -> weight == 0);
    return new Ball(zero ? null : start, diameter() / 2);
  }

  private double smoothness() {
    Optional<Double> given = settings.find(SMOOTHNESS);
    if (given.isPresent()) {
      return given.get();
    }
    Objective objective = inputs.objective().objective();
    return isKnown(objective) || objective.smoothness() == Double.POSITIVE_INFINITY
        ? inputs.scale().require(SMOOTHNESS, "must be given").curvature()
        : objective.smoothness();
  }

  /** Whether the loss has a scale whatever the labels are. */
  private static boolean isKnown(Objective objective) {
    return objective.stepScale(Double.POSITIVE_INFINITY).isPresent();
  }

  private double clipOfLoss() {
    Objective objective = inputs.objective().objective();
    Optional<StepScale> scale = objective.stepScale(Double.POSITIVE_INFINITY);
    if (scale.isPresent()) {
      return scale.get().clip();
    }
    return objective.lipschitz() < Double.POSITIVE_INFINITY
        ? objective.lipschitz()
        : inputs.scale().require(MOMENT, "must be given, or clip.norm,").clip();
  }
}
