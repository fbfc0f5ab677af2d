package dev.sotto.config.settings;

import static dev.sotto.learner.training.PlanKeys.BATCH_SIZE;
import static dev.sotto.learner.training.PlanKeys.CLIP_NORM;

import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.LearningProblem;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrefixNoise;
import dev.sotto.learner.optimizer.RoundInputs;
import dev.sotto.learner.optimizer.RoundSettings;
import dev.sotto.learner.optimizer.settings.BlockKeys;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.LatticeException;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.NumberText;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.LearningSettings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.topology.settings.ApplicationKeys;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** How a model is learned, and the noise that goes with it. */
final class LearningDesign {
  /**
   * A round of layout rounds takes milliseconds of its own, so it is not below 4096; it must be a
   * multiple of the number of partitions, which is not known here: most numbers up to 48 divide
   * this one.
   */
  private static final long PARALLEL_ROUND = 5040;

  private final Settings settings;
  private final GuaranteeLevel level;
  private final KnownLoss loss;
  private final boolean besideOthers;

  /**
   * A design.
   *
   * @param besideOthers whether other candidates learn from the same slots: they share versions
   */
  LearningDesign(Settings settings, GuaranteeLevel level, KnownLoss loss, boolean besideOthers) {
    this.besideOthers = besideOthers;
    this.settings = settings;
    this.level = level;
    this.loss = loss;
  }

  /**
   * What was designed.
   *
   * @param learning refuses what no plan can have when it is made
   * @param configured the guarantee as it was configured
   * @param privacy the same at its level
   */
  record Designed(
      Supplier<LearningSettings> learning, PrivacySettings configured, PrivacySettings privacy) {}

  /** Of an algorithm of rounds: the round's size follows from the noise, which follows from it. */
  Designed ofRounds(RoundSettings rounds, PrivacyRules rules) {
    LearningProblem problem = loss.problem();
    double clip = loss.clip(rounds);
    long batch = batch(rounds, problem, size -> expectedNoise(rules.calibrated(clip, size)));
    PrivacySettings configured = rules.calibrated(clip, batch);
    PrivacySettings privacy = atLevel(configured, batch);
    checkLattice(privacy.noise(), problem.dimension(), batch, rules.budget().spentMu());
    int lag = settings.find(ApplicationKeys.LAG).orElse(0);
    Optimizer optimizer = rounds.create(new RoundInputs(
        problem, batch, lag, clip, noise(privacy.noise(), privacy.contribution().generations())));
    return designed(optimizer, batch, lag, versions(problem.dimension()), configured, privacy);
  }

  /** Of an algorithm that brings mechanism, round size and clip. */
  Designed ofBlocks(BlockSettings blocks, PrivacyRules rules) {
    BlockDesign design = design(blocks, inputs(rules));
    PrivacySettings configured =
        rules.under(design.mechanism()).calibrated(design.clip(), design.batch());
    PrivacySettings privacy = atLevel(configured, design.batch());
    Optimizer optimizer = design.optimizer();
    new OwnMechanismChecks(settings).checkLayout(optimizer);
    VersionSchedule versions = optimizer.block().isEmpty()
        ? VersionKeys.read(settings, loss.dimension())
        : VersionSchedule.EVERY_ROUND; // a block is a version
    return designed(optimizer, design.batch(), 0, versions, configured, privacy);
  }

  /** In layout rounds, unless somebody chose, of slots that most numbers of partitions share. */
  private BlockDesign design(BlockSettings blocks, BlockInputs inputs) {
    BlockDesign design = blocks.design(inputs);
    boolean chosen = inputs.slots() > 0
        || settings.isGiven(BlockKeys.SLOTS) && settings.get(BlockKeys.SLOTS) > 0;
    return chosen || !isParallel()
        ? design
        : blocks.design(
            inputs.ofSlots(Math.max(1, design.batch() / PARALLEL_ROUND) * PARALLEL_ROUND));
  }

  /**
   * With the price of one participation: the noise for a clip of 1. An algorithm weighs it against
   * what its clip cuts off, so it must be known before clip and mechanism are; noise is
   * proportional to the clip, and every mechanism of queries is scaled to cost what one query
   * costs.
   */
  private BlockInputs inputs(PrivacyRules rules) {
    PrivacySettings one = rules.calibrated(1, 1);
    return new BlockInputs(
        loss.problem(),
        settings.get(BATCH_SIZE),
        isParallel(),
        settings.isGiven(CLIP_NORM)
            ? OptionalDouble.of(settings.get(CLIP_NORM))
            : OptionalDouble.empty(),
        one.noise().sigma(),
        one.failure(horizon()));
  }

  private Designed designed(
      Optimizer optimizer,
      long batch,
      int lag,
      VersionSchedule versions,
      PrivacySettings configured,
      PrivacySettings privacy) {
    String algorithm = settings.get(Optimizers.ALGORITHM).configName();
    return new Designed(
        () ->
            new LearningSettings(algorithm, optimizer.describe(), optimizer, batch, lag, versions),
        configured,
        privacy);
  }

  private PrivacySettings atLevel(PrivacySettings configured, long batch) {
    return settings.make(BATCH_SIZE, () -> ReferencePrivacy.of(configured, level, batch));
  }

  private VersionSchedule versions(int dimension) {
    // In layout rounds parts of as many rounds as a version has are kept.
    VersionSchedule versions = isParallel() || besideOthers
        ? VersionKeys.read(settings, dimension)
        : VersionKeys.thinned(settings, dimension);
    if (versions.interval() > 0 && isParallel()) {
      throw settings.reject(
          VersionKeys.INTERVAL,
          "must not be set with layout rounds, whose coordinator does not see when the broker"
              + " appended an event, but was "
              + versions.interval() + "; unset it, or choose another layout");
    }
    return versions;
  }

  private long batch(
      RoundSettings rounds, LearningProblem problem, LongFunction<PrefixNoise> noise) {
    long given = settings.get(BATCH_SIZE);
    if (given > 0) {
      return given;
    }
    long batch = rounds.batch(problem, noise);
    return isParallel() ? Math.max(1, batch >> 12) * PARALLEL_ROUND : batch;
  }

  /** Of rounds of some size, from which the separation of a unit's rounds follows. */
  private PrefixNoise expectedNoise(PrivacySettings configured) {
    AccountedNoise noise = level == GuaranteeLevel.NONE
        ? ReferencePrivacy.of(configured, level, 1).noise()
        : configured.noise();
    return noise(noise, configured.contribution().generations());
  }

  private PrefixNoise noise(AccountedNoise noise, GenerationSchedule generations) {
    long longest =
        generations.kind() == GenerationSchedule.Kind.CONSTANT ? generations.first() : horizon();
    PrefixMechanism mechanism = noise.mechanism().ofPrefixes().orElseThrow();
    return new PrefixNoise(mechanism, noise.sigma(), longest);
  }

  private long horizon() {
    return settings.find(PlanKeys.HORIZON).orElse(Long.MAX_VALUE);
  }

  private boolean isParallel() {
    return settings.isUsable(ApplicationKeys.LAYOUT)
        && settings.get(ApplicationKeys.LAYOUT).sumsParts();
  }

  private void checkLattice(AccountedNoise noise, int dimension, long batch, double spentMu) {
    try {
      Lattice.fit(
          noise.clip(), noise.sigma(), dimension, batch, noise.mechanism().norm());
    } catch (LatticeException broken) {
      if (broken.input() == LatticeException.Input.NOISE && spentMu > 0) {
        ConfigKey<Double> limit =
            settings.isGiven(PlanKeys.EPSILON) ? PlanKeys.EPSILON : PlanKeys.MU;
        throw settings.reject(
            limit,
            "must be larger: earlier runs have spent mu " + NumberText.shortest(spentMu)
                + " (privacy.spent.mu, start.from), and the noise for what is left would drown any"
                + " model");
      }
      String key = switch (broken.input()) {
        case BATCH -> BATCH_SIZE.name();
        case DIMENSION -> FeatureKeys.ALL;
        case NOISE -> PrivacyRules.noiseKey(settings).name();
        case CLIP -> CLIP_NORM.name();
      };
      throw settings.reject(key, "must leave exact sums possible, but: " + broken.getMessage());
    }
  }
}
