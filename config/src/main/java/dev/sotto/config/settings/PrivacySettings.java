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
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.topology.settings.LearnerSettings.Start;
import java.util.Optional;

/**
 * What a plan guarantees, and the noise that the guarantee needs.
 *
 * @param metrics private metrics, or null for none
 */
record PrivacySettings(
    Budget budget, NoiseSettings noise, ContributionSettings contribution, PrivateMetrics metrics) {
  /** The share of delta that failures of a mechanism may take. */
  private static final double OF_FAILURES = 0.01;

  /** More participations than this have no mu to speak of. */
  private static final long MOST_PARTICIPATIONS = 1 << 20;

  /** With a larger epsilon delta is of no use either. */
  private static final double LARGEST_EPSILON = 20;

  /**
   * Where a run begins.
   *
   * @param start at a published model, or empty
   * @param features canonical text of the run's own feature map; empty where it has errors
   * @param candidates models that learn from the same slots beside each other
   */
  record Beginning(Optional<Start> start, String features, Candidates candidates) {}

  /**
   * Out of settings; errors of independent parts are recorded together.
   *
   * @param mechanism how noise is added
   * @param clip bound of one example's gradient
   * @param batch slots in a round
   * @param beginning where the run begins
   */
  static PrivacySettings read(
      Settings settings, Mechanism mechanism, double clip, long batch, Beginning beginning) {
    Optional<ConfigKey<?>> source = Settings.attempt(() -> noiseSource(settings, mechanism));
    Budget budget = budget(settings, beginning);
    ContributionSettings.checkLayout(settings);
    checkMetrics(settings, mechanism);
    ContributionSettings contribution =
        ContributionSettings.read(settings, mechanism, budget, batch);
    ConfigKey<?> key = source.orElseThrow(() -> new InvalidSettingException(MULTIPLIER.name()));
    Calibration calibration = new Calibration(
        settings,
        new NoiseCalibration(
            budget,
            new AccountedNoise(
                mechanism, clip, 1, settings.get(PlanKeys.ADJACENCY), beginning.candidates()),
            contribution.generations(),
            settings.get(METRICS_SHARE)),
        contribution.participation(),
        clip);
    double sigma = settings.make(key, calibration::sigma);
    PrivateMetrics metrics = metrics(settings, calibration, sigma);
    return new PrivacySettings(
        metrics != null && metrics.exact()
            ? new Budget(Double.POSITIVE_INFINITY, budget.delta())
            : budget,
        new NoiseSettings(
            mechanism, settings.get(PlanKeys.ADJACENCY), clip, sigma, beginning.candidates()),
        contribution,
        metrics);
  }

  /**
   * The failure that one participation may have ({@link
   * dev.sotto.learner.mechanism.Mechanism#failure}), so that all of a unit's together take {@link
   * #OF_FAILURES} of delta.
   *
   * @param horizon rounds; {@link Long#MAX_VALUE} without an end
   */
  double failure(long horizon) {
    long participations = contribution.participation() instanceof Participation.Scheduled each
        ? Math.min(MOST_PARTICIPATIONS, each.bound().within(horizon))
        : 1;
    int slots = noise.adjacency() == Adjacency.REPLACE_ONE ? 2 : 1; // of a participation, at most
    double epsilon = Math.min(LARGEST_EPSILON, budget.epsilon());
    return budget.delta() * OF_FAILURES / (slots * participations) / (1 + StrictMath.exp(epsilon));
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
                && ContributionSettings.isScheduled(settings, mechanism))
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

  private static void checkMetrics(Settings settings, Mechanism mechanism) {
    boolean exact = settings.get(EXACT_METRICS);
    if (mechanism.isPure() && (exact || settings.get(METRICS_SHARE) > 0)) {
      throw settings.reject(
          exact ? EXACT_METRICS : METRICS_SHARE,
          "must be absent with " + Mechanisms.MECHANISM + " " + mechanism.name()
              + ", beside whose pure epsilon no metrics are released; " + Mechanisms.MECHANISM
              + " " + Mechanisms.names(each -> !each.isPure()) + " have them");
    }
  }

  private static PrivateMetrics metrics(Settings settings, Calibration calibration, double sigma) {
    double share = settings.get(METRICS_SHARE);
    boolean exact = settings.get(EXACT_METRICS);
    if (exact && share > 0) {
      throw settings.reject(
          EXACT_METRICS,
          "must be false where " + METRICS_SHARE + " is above 0: metrics are private, or exact");
    }
    if (!exact && share == 0) {
      return null;
    }
    double bound = settings.get(PlanKeys.LOSS_BOUND);
    int bins = settings.get(PlanKeys.BINS);
    long window = settings.get(PlanKeys.WINDOW);
    return settings.make(
        METRICS_SHARE,
        () -> new PrivateMetrics(exact ? 0 : calibration.metricsSigma(sigma), bound, bins, window));
  }

  /** Chooses the noise as the settings say. */
  private record Calibration(
      Settings settings, NoiseCalibration noise, Participation participation, double clip) {
    double sigma() {
      if (settings.isGiven(MULTIPLIER)) {
        Adjacency adjacency = settings.get(PlanKeys.ADJACENCY);
        return settings.get(MULTIPLIER) * adjacency.sensitivity(clip);
      }
      return participation instanceof Participation.Budgeted budgeted
          ? noise.sigmaOfBudgeted(participations(), budgeted.separation())
          : noise.sigma(bound(), horizon());
    }

    double metricsSigma(double sigma) {
      if (!isBudgeted()) {
        return noise.metricsSigma(bound(), horizon());
      }
      return settings.isGiven(MULTIPLIER)
          ? noise.metricsSigmaBeside(sigma)
          : noise.metricsSigmaOfBudgeted(participations());
    }

    private long participations() {
      return settings.find(PARTICIPATIONS).orElse(PlanKeys.USUAL_PARTICIPATIONS);
    }

    private boolean isBudgeted() {
      return participation instanceof Participation.Budgeted;
    }

    private ContributionBound bound() {
      return participation instanceof Participation.Scheduled scheduled
          ? scheduled.bound()
          : ContributionBound.ONE;
    }

    private long horizon() {
      return settings.find(HORIZON).orElse(Long.MAX_VALUE);
    }
  }
}
