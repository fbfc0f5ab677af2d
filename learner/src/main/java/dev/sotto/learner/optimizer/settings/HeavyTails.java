package dev.sotto.learner.optimizer.settings;

import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.AC_SA_KEYS;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.AUTO;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.BOX;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.CAP;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.CLIP;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.CONVEXITY;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.DIAMETER;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.L1;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.LOCALIZED_KEYS;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.MEDIAN_GROUPS;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.MEDIAN_OF_MEANS;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.MOMENT;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.ORACLE;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.ORDER;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.PROX_KEYS;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.QUANTILE;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.REGULARIZATION;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.RULE;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.SECOND;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.SGD_KEYS;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.SMOOTHNESS;
import static dev.sotto.learner.optimizer.settings.HeavyTailKeys.TWICE;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.AcSaSteps;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.heavytail.ClippedAlgorithm;
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
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The settings of the algorithms for heavy-tailed gradients (docs/heavy-tails.md). Every number of
 * a schedule follows from them, from the loss and from the noise: all of these are public.
 */
final class HeavyTails {
  /** Slots of a block where nobody chooses (docs/experiments/heavy-tails.md, "Defaults"). */
  private static final long LARGE = 1 << 16;

  private static final long SMALL = 1 << 14;

  /** Phases of fewer slots move the weights by nearly nothing, and take as many queries. */
  private static final long LEAST_PHASE = 8;

  /** The share of a block's squared mu that counting costs (docs/experiments/heavy-tails.md). */
  private static final double COUNTING = 0.05;

  private final Settings settings;
  private final BlockInputs inputs;
  private final BlockSize size;
  private final Moments moments;
  private final OptionalDouble clip;
  private final boolean quantile;

  private HeavyTails(Settings settings, BlockInputs inputs, long standard) {
    this.settings = settings;
    this.inputs = inputs;
    // The paper's noise is that of replaced contents; where these become null slots it is half as
    // large at the same mu, as of replaced contents at twice the mu.
    double mu = 2 / inputs.noise();
    this.quantile = isQuantile();
    this.size = new BlockSize(
        BlockKeys.slots(settings, inputs, standard),
        inputs.dimension(),
        quantile ? mu * Math.sqrt(1 - COUNTING) : mu);
    Optional<Double> moment = settings.find(MOMENT);
    this.clip = inputs.clip().isPresent() || moment.isPresent()
        ? inputs.clip()
        : OptionalDouble.of(inputs.problem().lossClip(MOMENT, "must be given, or clip.norm,"));
    double bound = moment.orElseGet(clip::getAsDouble);
    this.moments = moment.isPresent()
        ? settings.make(
            SECOND,
            () -> new Moments(settings.get(ORDER), bound, settings.find(SECOND).orElse(bound)))
        : Moments.bounded(bound);
  }

  /** One pass, smooth losses. */
  static BlockSettings acSa(Settings settings, NamedObjective objective) {
    return settings(settings, AC_SA_KEYS, LARGE, HeavyTails::acSa);
  }

  /** One pass, smooth and strongly convex losses. */
  static BlockSettings sgd(Settings settings, NamedObjective objective) {
    return settings(settings, SGD_KEYS, SMALL, HeavyTails::sgd);
  }

  /** One pass, a term with a proximal map. */
  static BlockSettings prox(Settings settings, NamedObjective objective) {
    return settings(settings, PROX_KEYS, SMALL, HeavyTails::prox);
  }

  /** Several passes, losses with kinks. */
  static BlockSettings localized(Settings settings, NamedObjective objective) {
    return settings(settings, LOCALIZED_KEYS, SMALL, HeavyTails::localized);
  }

  private static BlockSettings settings(
      Settings settings,
      List<ConfigKey<?>> keys,
      long standard,
      Function<HeavyTails, ClippedAlgorithm> maker) {
    InvalidSettingException last = BlockKeys.errors(settings, keys).orElse(null);
    for (ConfigKey<?> key : List.of(ORDER, SECOND, TWICE)) {
      boolean asUnless = key == ORDER && settings.get(ORDER).equals(ORDER.standard());
      if (keys.contains(key) && settings.isGiven(key) && !asUnless && !settings.isGiven(MOMENT)) {
        last = settings.reject(key, "means nothing without " + MOMENT + "; give it too");
      }
    }
    if (last != null) {
      throw last;
    }
    return inputs -> new HeavyTails(settings, inputs, standard).design(maker);
  }

  private BlockDesign design(Function<HeavyTails, ClippedAlgorithm> maker) {
    BlockAlgorithm algorithm = settings.make(BlockKeys.SLOTS, () -> following(maker.apply(this)));
    QuerySchedule queries = settings.make(MEDIAN_GROUPS, algorithm::queries);
    return BlockDesign.of(algorithm, settings.make(BlockKeys.SLOTS, () -> new QueryNoise(queries)));
  }

  /** With a bound of the loss, or a clip that somebody chose, a quantile gains little. */
  private boolean isQuantile() {
    String chosen = settings.get(CLIP);
    boolean moment = settings.isGiven(MOMENT) && inputs.clip().isEmpty() && groups() == 1;
    return chosen.equals(QUANTILE) || chosen.equals(AUTO) && moment;
  }

  /** The algorithm, with a clip that follows its gradients where the settings say so. */
  private BlockAlgorithm following(ClippedAlgorithm algorithm) {
    if (!quantile) {
      return algorithm;
    }
    if (groups() > 1) {
      throw settings.reject(CLIP, "must be " + RULE + " with " + ORACLE + " " + MEDIAN_OF_MEANS);
    }
    double target = QuantileClip.target(algorithm, size);
    return new QuantileClip(algorithm, COUNTING, target, inputs.dimension(), inputs.noise());
  }

  private ClippedAlgorithm acSa() {
    double smoothness = smoothness();
    AcSaSchedule schedule = AcSaSchedule.of(size, moments, smoothness, diameter(), clip);
    double second = settings.isGiven(MOMENT) ? moments.second() : Double.POSITIVE_INFINITY;
    return quantile
        ? new ClippedAcSa(schedule, ball(), new AcSaSteps(size, second, smoothness, diameter()))
        : new ClippedAcSa(schedule, ball());
  }

  private ClippedAlgorithm sgd() {
    double smoothness = smoothness();
    double lambda = regularization(smoothness);
    Curvature curvature = curvature(smoothness + lambda, lambda);
    SgdSchedule schedule = SgdSchedule.of(size, moments, curvature, diameter(), clip);
    return new ClippedSgd(wholeGroups(schedule), lambda, ball(), groups());
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

  private ClippedAlgorithm prox() {
    double smoothness = smoothness();
    double lambda = regularization(smoothness);
    // How much worse the start is: what a smooth loss falls by over the diameter, at most.
    double gap = smoothness * diameter() * diameter() / 2;
    ProxSchedule schedule =
        ProxSchedule.of(size, moments, curvature(smoothness, lambda), gap, clip);
    double box = settings.find(BOX).orElse(diameter() / 2);
    return new ProxClippedSgd(schedule, new ProximalMap(settings.get(L1), lambda, box));
  }

  private ClippedAlgorithm localized() {
    LocalMoments local = localMoments();
    List<LocalizedSchedule> schedules = settings
        .find(CONVEXITY)
        .map(convexity -> EpochSchedule.of(size, local, diameter(), convexity))
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
    return new Ball(inputs.problem().center(), diameter() / 2);
  }

  private double smoothness() {
    return settings
        .find(SMOOTHNESS)
        .orElseGet(() -> inputs
            .problem()
            .ownSmoothness()
            .orElseGet(
                () -> inputs.problem().require(SMOOTHNESS, "must be given").curvature()));
  }
}
