package dev.sotto.config.settings;

import static dev.sotto.learner.training.PlanKeys.BATCH_SIZE;
import static dev.sotto.learner.training.PlanKeys.CLIP_NORM;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.BlockKeys;
import dev.sotto.learner.optimizer.BlockNoise;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.BlockShape;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerInputs;
import dev.sotto.learner.optimizer.OptimizerSettings;
import dev.sotto.learner.optimizer.Optimizers;
import dev.sotto.learner.optimizer.PrefixNoise;
import dev.sotto.learner.optimizer.RoundInputs;
import dev.sotto.learner.optimizer.RoundSettings;
import dev.sotto.learner.optimizer.RoundShape;
import dev.sotto.learner.optimizer.ScaleSource;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.LatticeException;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LayoutChoice;
import dev.sotto.topology.settings.LearnerSettings.Start;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongFunction;

/**
 * Builds a plan out of settings. What the learner's own checks refuse is reported under the setting
 * to change.
 */
public final class PlanSettings {
  /**
   * A round of layout rounds takes milliseconds of its own, so it is not below 4096; it must be a
   * multiple of the number of partitions, which is not known here: most numbers up to 48 divide
   * this one.
   */
  private static final long PARALLEL_ROUND = 5040;

  private final Settings settings;
  private final GuaranteeLevel level;
  private final Optional<Start> start;
  private final Candidates candidates;

  /**
   * A builder of the plan of a model that learns alone.
   *
   * @param level how much of its guarantee it shall keep
   * @param start the published model at which the run begins, if it does at one
   */
  public PlanSettings(Settings settings, GuaranteeLevel level, Optional<Start> start) {
    this(settings, level, start, 1);
  }

  /**
   * A builder of one plan.
   *
   * @param level how much of its guarantee it shall keep
   * @param start the published model at which the run begins, if it does at one
   * @param candidates models that learn from the same slots beside each other, this one included
   */
  public PlanSettings(
      Settings settings, GuaranteeLevel level, Optional<Start> start, int candidates) {
    this.candidates = Candidates.of(candidates);
    this.settings = settings;
    this.level = level;
    this.start = start;
  }

  /**
   * The plan.
   *
   * @param mapping empty where it has errors; those of the plan are recorded all the same
   */
  public Plan read(Optional<EventMapping> mapping) {
    Optional<NamedObjective> named = Settings.attempt(() -> ObjectiveSettings.read(settings));
    Optional<OptimizerSettings> optimizers =
        named.flatMap(each -> Settings.attempt(() -> Optimizers.read(settings, each)));
    Optional<BlockSettings> blocks =
        optimizers.filter(BlockSettings.class::isInstance).map(BlockSettings.class::cast);
    boolean own = blocks.isPresent();
    if (Settings.attempt(() -> checkCandidates(own)).isEmpty()) {
      throw new InvalidSettingException(Optimizers.ALGORITHM.name());
    }
    Optional<Double> clip = own
        ? Optional.of(1.0) // it follows from the algorithm
        : named.isEmpty() || mapping.isEmpty()
            ? Optional.empty()
            : Settings.attempt(() -> clip(named.get(), mapping.get()));
    String features = mapping.map(EventMapping::text).orElse("");
    Optional<Boolean> suited =
        own ? Settings.attempt(() -> new OwnMechanismChecks(settings).check()) : Optional.of(true);
    Optional<PrivacySettings> configured = Settings.attempt(
        () -> privacy(mechanism(blocks), clip.orElse(1.0), own ? 1 : givenBatch(), features));
    NamedObjective objective =
        named.orElseThrow(() -> new InvalidSettingException(ObjectiveSettings.LOSS.name()));
    if (optimizers.isEmpty()
        || configured.isEmpty()
        || clip.isEmpty()
        || suited.isEmpty()
        || mapping.isEmpty()) {
      throw new InvalidSettingException("the plan"); // which errors are recorded
    }
    return optimizers.get() instanceof RoundSettings rounds
        ? plan(objective, rounds, clip.get(), mapping.get())
        : planOfItsOwn(objective, blocks.orElseThrow(), configured.get(), mapping.get());
  }

  /** Several models share one price where they share the noise of prefixes, and it is Gaussian. */
  private boolean checkCandidates(boolean own) {
    if (candidates.number() > 1 && own) {
      throw settings.rejectValue(
          Optimizers.ALGORITHM,
          "be private-ftrl or accelerated-dp-srgd among candidates, which share their rounds and"
              + " the noise",
          settings.get(Optimizers.ALGORITHM).configName());
    }
    if (candidates.number() > 1 && !own && Mechanisms.read(settings).isPure()) {
      throw settings.reject(
          Mechanisms.MECHANISM,
          "must be one of Gaussian noise with candidates, whose costs add up in squares of mu");
    }
    return true;
  }

  /** Every mechanism of an algorithm's own costs what one query costs: that is how it is scaled. */
  private Mechanism mechanism(Optional<BlockSettings> blocks) {
    return blocks
        .<Mechanism>map(each ->
            each.costsBesideMu() ? QueryMechanism.ofOneSampledQuery() : QueryMechanism.ofOneQuery())
        .orElseGet(() -> Mechanisms.read(settings));
  }

  private PrivacySettings privacy(Mechanism mechanism, double clip, long batch, String features) {
    return PrivacySettings.read(
        settings,
        mechanism,
        clip,
        batch,
        new PrivacySettings.Beginning(start, features, candidates));
  }

  private PrivacySettings privacy(double clip, long batch, String features) {
    return privacy(Mechanisms.read(settings), clip, batch, features);
  }

  /** An algorithm that brings mechanism, round size and clip. */
  private Plan planOfItsOwn(
      NamedObjective objective,
      BlockSettings optimizers,
      PrivacySettings expected,
      EventMapping mapping) {
    int dimension = dimension(objective, mapping);
    ScaleSource scale = (key, rule) -> stepScale(key, rule, objective, mapping);
    BlockDesign design = design(
        optimizers,
        slots -> new BlockInputs(
            objective,
            dimension,
            new BlockShape(slots, isParallel()),
            settings.isGiven(CLIP_NORM)
                ? OptionalDouble.of(settings.get(CLIP_NORM))
                : OptionalDouble.empty(),
            new BlockNoise(
                expected.noise().sigma(),
                expected.failure(settings.find(PlanKeys.HORIZON).orElse(Long.MAX_VALUE))),
            scale));
    PrivacySettings configured =
        privacy(design.mechanism(), design.clip(), design.batch(), mapping.text());
    PrivacySettings privacy =
        settings.make(BATCH_SIZE, () -> ReferencePrivacy.of(configured, level, design.batch()));
    Optimizer optimizer = design.optimizer();
    new OwnMechanismChecks(settings).checkLayout(optimizer);
    VersionSchedule versions = optimizer.block().isEmpty()
        ? VersionKeys.read(settings, dimension)
        : VersionSchedule.EVERY_ROUND; // a block is a version
    return build(
        new Learned(objective, dimension, optimizer, design.batch(), 0, versions),
        privacy,
        mapping);
  }

  /** In layout rounds, unless somebody chose, of slots that most numbers of partitions share. */
  private BlockDesign design(BlockSettings optimizers, LongFunction<BlockInputs> inputs) {
    BlockDesign design = optimizers.design(inputs.apply(settings.get(BATCH_SIZE)));
    boolean chosen = settings.get(BATCH_SIZE) > 0
        || settings.isGiven(BlockKeys.SLOTS) && settings.get(BlockKeys.SLOTS) > 0;
    return chosen || !isParallel()
        ? design
        : optimizers.design(
            inputs.apply(Math.max(1, design.batch() / PARALLEL_ROUND) * PARALLEL_ROUND));
  }

  private boolean isParallel() {
    return settings.isUsable(ApplicationKeys.LAYOUT)
        && settings.get(ApplicationKeys.LAYOUT) == LayoutChoice.ROUNDS;
  }

  /** What is learned, and how. */
  private record Learned(
      NamedObjective objective,
      int dimension,
      Optimizer optimizer,
      long batch,
      int lag,
      VersionSchedule versions) {}

  /** Slots in a round, 1 where they follow from the noise. */
  private long givenBatch() {
    return settings.isUsable(BATCH_SIZE) ? Math.max(1, settings.get(BATCH_SIZE)) : 1;
  }

  private Plan plan(
      NamedObjective objective, RoundSettings optimizers, double clip, EventMapping mapping) {
    int dimension = dimension(objective, mapping);
    ScaleSource scale = (key, rule) -> stepScale(key, rule, objective, mapping);
    long batch = batch(
        optimizers,
        new RoundInputs(
            dimension, size -> expectedNoise(privacy(clip, size, mapping.text())), scale));
    PrivacySettings configured = privacy(clip, batch, mapping.text());
    PrivacySettings privacy =
        settings.make(BATCH_SIZE, () -> ReferencePrivacy.of(configured, level, batch));
    checkLattice(privacy.noise(), dimension, batch);
    int lag = settings.find(ApplicationKeys.LAG).orElse(0);
    Optimizer optimizer = optimizers.create(new OptimizerInputs(
        objective,
        dimension,
        new RoundShape(batch, lag),
        configured.noise().clip(),
        noise(privacy.noise(), privacy.contribution().generations()),
        scale));
    VersionSchedule versions = VersionKeys.read(settings, dimension);
    if (versions.interval() > 0 && isParallel()) {
      throw settings.reject(
          VersionKeys.INTERVAL,
          "must not be set with layout rounds, whose coordinator does not see when the broker"
              + " appended an event, but was "
              + versions.interval() + "; unset it, or choose another layout");
    }
    return build(
        new Learned(objective, dimension, optimizer, batch, lag, versions), privacy, mapping);
  }

  private Plan build(Learned learned, PrivacySettings privacy, EventMapping mapping) {
    NamedObjective objective = learned.objective();
    int dimension = learned.dimension();
    double[] warm = start
        .map(each -> WarmStart.weights(settings, each, objective, mapping.text(), dimension))
        .orElse(null);
    Optimizer optimizer = learned.optimizer();
    return settings.make(
        settings.isGiven(PlanKeys.MULTIPLIER)
            ? PlanKeys.EPSILON
            : PrivacySettings.noiseKey(settings),
        () -> new PlanBuilder()
            .features(mapping.text())
            .dimension(dimension)
            .objective(objective.name(), objective.objective())
            .warmStart(warm)
            .algorithm(
                settings.get(Optimizers.ALGORITHM).configName(), optimizer.describe(), optimizer)
            .mechanism(privacy.noise().mechanism())
            .clip(privacy.noise().clip())
            .batch(learned.batch())
            .sigma(privacy.noise().sigma())
            .adjacency(privacy.noise().adjacency())
            .unit(privacy.contribution().unit())
            .budget(privacy.budget())
            .participation(privacy.contribution().participation())
            .generations(privacy.contribution().generations())
            .metrics(privacy.metrics())
            .lag(learned.lag())
            .versions(learned.versions())
            .candidates(candidates)
            .build());
  }

  /** Of rounds of some size, from which the separation of a unit's rounds follows. */
  private PrefixNoise expectedNoise(PrivacySettings configured) {
    NoiseSettings noise = level == GuaranteeLevel.NONE
        ? ReferencePrivacy.of(configured, level, 1).noise()
        : configured.noise();
    return noise(noise, configured.contribution().generations());
  }

  private PrefixNoise noise(NoiseSettings noise, GenerationSchedule generations) {
    long longest = generations.kind() == GenerationSchedule.Kind.CONSTANT
        ? generations.first()
        : settings.find(PlanKeys.HORIZON).orElse(Long.MAX_VALUE);
    PrefixMechanism mechanism = noise.mechanism().ofPrefixes().orElseThrow();
    return new PrefixNoise(mechanism, noise.sigma(), longest);
  }

  private long batch(RoundSettings optimizers, RoundInputs inputs) {
    long given = settings.get(BATCH_SIZE);
    if (given > 0) {
      return given;
    }
    long batch = optimizers.batch(inputs);
    return isParallel() ? Math.max(1, batch >> 12) * PARALLEL_ROUND : batch;
  }

  private double clip(NamedObjective objective, EventMapping mapping) {
    return settings.isGiven(CLIP_NORM)
        ? settings.get(CLIP_NORM)
        : known(CLIP_NORM, "must be given", objective, mapping).clip();
  }

  private StepScale stepScale(
      ConfigKey<?> key, String rule, NamedObjective objective, EventMapping mapping) {
    double weight = mapping.labels().largestWeight();
    if (weight == Double.POSITIVE_INFINITY) {
      throw settings.reject(
          FeatureKeys.WEIGHT_MAX,
          "must be given with " + FeatureKeys.WEIGHT_FIELD + ": the largest weight, from public"
              + " knowledge, since steps follow from it; or " + key + " " + rule);
    }
    return known(key, rule, objective, mapping).weighted(weight);
  }

  private StepScale known(
      ConfigKey<?> key, String rule, NamedObjective objective, EventMapping mapping) {
    return objective
        .objective()
        .stepScale(mapping.labels().range())
        .orElseThrow(() -> settings.reject(
            key,
            rule + " with loss " + objective.name() + ", of which it is not known how large scores"
                + " and their errors are; or give the range of the labels ("
                + FeatureKeys.LABEL_MIN + " and " + FeatureKeys.LABEL_MAX
                + "; of a loss of your own, finite bounds of slope and smoothness)"));
  }

  private int dimension(NamedObjective objective, EventMapping mapping) {
    try {
      return objective.objective().dimension(mapping.dimension());
    } catch (IllegalArgumentException tooMany) {
      throw settings.reject(FeatureKeys.ALL, "does not work: " + tooMany.getMessage());
    }
  }

  private void checkLattice(NoiseSettings noise, int dimension, long batch) {
    try {
      Lattice.fit(
          noise.clip(), noise.sigma(), dimension, batch, noise.mechanism().norm());
    } catch (LatticeException broken) {
      String key = switch (broken.input()) {
        case BATCH -> BATCH_SIZE.name();
        case DIMENSION -> FeatureKeys.ALL;
        case NOISE -> PrivacySettings.noiseKey(settings).name();
        case CLIP -> CLIP_NORM.name();
      };
      throw settings.reject(key, "must leave exact sums possible, but: " + broken.getMessage());
    }
  }
}
