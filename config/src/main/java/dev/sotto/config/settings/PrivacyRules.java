package dev.sotto.config.settings;

import static dev.sotto.learner.training.PlanKeys.EPSILON;
import static dev.sotto.learner.training.PlanKeys.EXACT_METRICS;
import static dev.sotto.learner.training.PlanKeys.HORIZON;
import static dev.sotto.learner.training.PlanKeys.METRICS_SHARE;
import static dev.sotto.learner.training.PlanKeys.MU;
import static dev.sotto.learner.training.PlanKeys.MULTIPLIER;
import static dev.sotto.learner.training.PlanKeys.PARTICIPATIONS;
import static dev.sotto.learner.training.PlanKeys.SPENT;

import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.topology.settings.LearnerSettings.Start;
import java.util.Optional;

/**
 * What settings say of a guarantee under one mechanism, checked. {@link Calibration} finds the
 * noise that it needs, once clip and round size are known.
 *
 * @param settings in which errors of the calibration are recorded
 * @param source the setting from which the noise follows
 * @param noise what is known of it
 * @param budget what one unit may spend
 * @param contribution how much a unit may contribute
 * @param metrics what is published of the learning
 */
record PrivacyRules(
    Settings settings,
    ConfigKey<?> source,
    Noise noise,
    Budget budget,
    ContributionRules contribution,
    Metrics metrics) {
  /**
   * Where a run begins.
   *
   * @param start at a published model, or empty
   * @param features canonical text of the run's own feature map; empty where it has errors
   * @param bounded whether all numbers have bounds
   * @param candidates models that learn from the same slots beside each other
   */
  record Beginning(
      Optional<Start> start, String features, boolean bounded, Candidates candidates) {}

  /**
   * Noise whose size is yet to be found.
   *
   * @param candidates models that learn from the same slots beside each other
   */
  record Noise(Mechanism mechanism, Adjacency adjacency, Candidates candidates) {
    AccountedNoise of(double clip, double sigma) {
      return new AccountedNoise(mechanism, clip, sigma, adjacency, candidates);
    }
  }

  /**
   * Metrics of the learning.
   *
   * @param share of the budget; 0 where there are none, or exact ones
   * @param exact whether they are published without noise
   */
  record Metrics(double share, boolean exact, double lossBound, int bins, long window) {
    boolean arePublished() {
      return exact || share > 0;
    }
  }

  /** Out of settings; errors of independent parts are recorded together. */
  static PrivacyRules read(Settings settings, Mechanism mechanism, Beginning beginning) {
    Optional<ConfigKey<?>> source = Settings.attempt(() -> noiseSource(settings, mechanism));
    Budget budget = budget(settings, beginning);
    ContributionRules.checkLayout(settings);
    Metrics metrics = metrics(settings, mechanism);
    long usual = ContributionRules.usualRounds(settings, beginning.bounded());
    ContributionRules contribution = ContributionRules.read(settings, mechanism, usual);
    return new PrivacyRules(
        settings,
        source.orElseThrow(() -> new InvalidSettingException(MULTIPLIER.name())),
        new Noise(mechanism, settings.get(PlanKeys.ADJACENCY), beginning.candidates()),
        budget,
        contribution,
        metrics);
  }

  /** The same under another mechanism. */
  PrivacyRules under(Mechanism other) {
    return new PrivacyRules(
        settings,
        noiseSource(settings, other),
        new Noise(other, noise.adjacency(), noise.candidates()),
        budget,
        ContributionRules.read(settings, other, contribution.usual()),
        metrics);
  }

  /**
   * The noise that the guarantee needs.
   *
   * @param clip bound of one example's gradient
   * @param batch slots in a round
   */
  PrivacySettings calibrated(double clip, long batch) {
    return new Calibration(this, clip, contribution.of(budget, batch)).settings();
  }

  /**
   * Records that no noise is enough, where clip and round size cannot be known because of other
   * errors: it is so for all of them or for none.
   */
  void checkNoise() {
    Settings.attempt(() -> calibrated(1, 1));
  }

  /** The setting to change where there is too little or too much noise. */
  static ConfigKey<?> noiseKey(Settings settings) {
    return settings.isGiven(MULTIPLIER)
        ? MULTIPLIER
        : settings.isGiven(PARTICIPATIONS) ? PARTICIPATIONS : HORIZON;
  }

  /** The setting from which the noise follows: one of three, of which two depend on the unit. */
  private static ConfigKey<?> noiseSource(Settings settings, Mechanism mechanism) {
    boolean known = settings.isUsable(PlanKeys.UNIT); // else that error is recorded already
    boolean budgeted = known
        ? settings.get(PlanKeys.UNIT) == PrivacyUnit.KEY
            && !(settings.isUsable(PlanKeys.CONTRIBUTION)
                && ContributionRules.isScheduled(settings, mechanism))
        : settings.isGiven(PARTICIPATIONS);
    ConfigKey<Long> rounds = budgeted ? PARTICIPATIONS : HORIZON;
    ConfigKey<Long> foreign = budgeted ? HORIZON : PARTICIPATIONS;
    if (known && settings.isGiven(foreign)) {
      throw settings.reject(
          foreign,
          budgeted
              ? "must be absent where units have a budget each, and rounds are endless; give "
                  + PARTICIPATIONS + " or " + MULTIPLIER + ", or " + PlanKeys.CONTRIBUTION
                  + ": schedule, where rounds have an end"
              : "must be absent unless units have a budget each (" + PlanKeys.CONTRIBUTION
                  + " budget)");
    }
    boolean limited = mechanism.sensitivityLimit() < Double.POSITIVE_INFINITY;
    if ((budgeted || limited) && !settings.isGiven(rounds) && !settings.isGiven(MULTIPLIER)) {
      return rounds; // endless rounds, or the usual number of participations
    }
    return settings.isFirstOfTwo(rounds, MULTIPLIER, "one of them decides how much noise there is")
        ? rounds
        : MULTIPLIER;
  }

  private static Budget budget(Settings settings, Beginning beginning) {
    boolean byEpsilon = settings.isFirstOfTwo(EPSILON, MU, "the most that a unit may ever spend");
    double delta = settings.get(PlanKeys.DELTA);
    double limit = settings.get(byEpsilon ? EPSILON : MU);
    double epsilon =
        byEpsilon ? limit : settings.make(MU, () -> Budget.ofMu(limit, delta)).epsilon();
    double given = settings.get(SPENT);
    Budget budget = settings.make(SPENT, () -> new Budget(epsilon, delta, given));
    return beginning
        .start()
        .map(each -> WarmStart.budget(settings, budget, each, beginning.features()))
        .orElse(budget);
  }

  private static Metrics metrics(Settings settings, Mechanism mechanism) {
    boolean exact = settings.get(EXACT_METRICS);
    double share = settings.get(METRICS_SHARE);
    boolean adds = mechanism.ofPrefixes().map(Mechanism::composes).orElse(true);
    if (!adds && (exact || share > 0)) {
      throw settings.reject(
          exact ? EXACT_METRICS : METRICS_SHARE,
          "must be absent with " + Mechanisms.MECHANISM + " " + mechanism.name()
              + ", whose cost does not add up with that of metrics; " + Mechanisms.MECHANISM
              + " " + Mechanisms.names(Mechanism::composes) + " have them");
    }
    if (exact && share > 0) {
      throw settings.reject(
          EXACT_METRICS,
          "must be false where " + METRICS_SHARE + " is above 0: metrics are private, or exact");
    }
    return new Metrics(
        share,
        exact,
        settings.get(PlanKeys.LOSS_BOUND),
        settings.get(PlanKeys.BINS),
        settings.get(PlanKeys.WINDOW));
  }
}
