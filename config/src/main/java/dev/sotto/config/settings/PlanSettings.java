package dev.sotto.config.settings;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.OptimizerSettings;
import dev.sotto.learner.optimizer.RoundSettings;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.ModelSettings;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.topology.settings.LearnerSettings.Start;
import java.util.Optional;

/**
 * Builds a plan out of settings, in one step: what each part says, then how it is learned, then the
 * noise that it needs. What the learner's own checks refuse is reported under the setting to
 * change.
 */
public final class PlanSettings {
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
    Optional<NamedObjective> objective = Settings.attempt(() -> ObjectiveSettings.read(settings));
    Optional<OptimizerSettings> optimizer =
        objective.flatMap(each -> Settings.attempt(() -> Optimizers.read(settings, each)));
    Optional<BlockSettings> blocks =
        optimizer.filter(BlockSettings.class::isInstance).map(BlockSettings.class::cast);
    checkCandidates(blocks.isPresent());
    boolean measurable =
        Settings.attempt(() -> checkRanges(mapping, blocks.isPresent())).isPresent();
    Optional<KnownLoss> loss =
        objective.flatMap(one -> mapping.map(two -> new KnownLoss(settings, one, two)));
    boolean sound = blocks.isPresent()
        ? Settings.attempt(() -> new OwnMechanismChecks(settings).check()).isPresent()
        : loss.isEmpty() || Settings.attempt(loss.get()::requireClip).isPresent();
    Optional<PrivacyRules> privacy =
        Settings.attempt(() -> PrivacyRules.read(settings, mechanism(blocks), beginning(mapping)));
    if (!sound || !measurable || loss.isEmpty() || optimizer.isEmpty() || privacy.isEmpty()) {
      privacy.ifPresent(PrivacyRules::checkNoise);
      throw new InvalidSettingException("the plan"); // which errors are recorded
    }
    LearningDesign design =
        new LearningDesign(settings, level, loss.get(), candidates.number() > 1);
    return optimizer.get() instanceof RoundSettings rounds
        ? build(loss.get(), design.ofRounds(rounds, privacy.get()))
        : build(loss.get(), design.ofBlocks(blocks.orElseThrow(), privacy.get()));
  }

  private boolean checkRanges(Optional<EventMapping> mapping, boolean ofBlocks) {
    mapping.ifPresent(each ->
        new RangeRules(settings, each.numbers()).check(ofBlocks, candidates.number(), start));
    return true;
  }

  /** Several models share one price where they share the noise of prefixes, and it is Gaussian. */
  private void checkCandidates(boolean ofBlocks) {
    if (candidates.number() == 1) {
      return;
    }
    if (ofBlocks) {
      throw settings.rejectValue(
          Optimizers.ALGORITHM,
          "be private-ftrl or accelerated-dp-srgd among candidates, which share their rounds and"
              + " the noise",
          settings.get(Optimizers.ALGORITHM).configName());
    }
    if (!Mechanisms.read(settings).composes()) {
      throw settings.reject(
          Mechanisms.MECHANISM,
          "must be one of Gaussian noise with candidates, whose costs add up in squares of mu");
    }
  }

  /** Every mechanism of an algorithm's own costs what one query costs, until it is designed. */
  private Mechanism mechanism(Optional<BlockSettings> blocks) {
    return blocks
        .<Mechanism>map(each ->
            each.costsBesideMu() ? QueryMechanism.ofOneSampledQuery() : QueryMechanism.ofOneQuery())
        .orElseGet(() -> Mechanisms.read(settings));
  }

  private PrivacyRules.Beginning beginning(Optional<EventMapping> mapping) {
    return new PrivacyRules.Beginning(
        start,
        mapping.map(EventMapping::text).orElse(""),
        mapping.map(each -> each.numbers().isEmpty()).orElse(true),
        candidates);
  }

  private Plan build(KnownLoss loss, LearningDesign.Designed designed) {
    PrivacySettings privacy = designed.privacy();
    NamedObjective objective = loss.objective();
    RangeSettings ranges = new RangeRules(settings, loss.mapping().numbers())
        .of(start, loss.mapping().text(), designed);
    String features = FeatureMapText.known(loss.mapping().text(), ranges.known());
    int dimension = loss.dimension();
    double[] warm = start
        .map(each -> WarmStart.weights(settings, each, objective, features, dimension))
        .orElse(null);
    return settings.make(
        settings.isGiven(PlanKeys.MULTIPLIER) ? PlanKeys.EPSILON : PrivacyRules.noiseKey(settings),
        () -> new Plan(
            new ModelSettings(
                features, dimension, objective.name(), objective.objective(), warm, ranges),
            designed.learning().get(),
            privacy.noise(),
            privacy.contribution(),
            privacy.metrics(),
            privacy.budget()));
  }
}
