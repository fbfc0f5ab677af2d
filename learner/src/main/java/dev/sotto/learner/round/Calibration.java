package dev.sotto.learner.round;

import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.GaussianDp;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;

/**
 * Chooses the noise from a budget. A share of the budget may be set aside for private metrics: the model gets mu^2
 * (1 - share), the metrics mu^2 share; under a pure epsilon the epsilons are shared instead.
 */
public final class Calibration {
  /** The filter rounds against the unit, and would miss the last participation. */
  private static final double ABOVE_ROUNDING = 1 + 1e-9;

  private final Budget budget;
  private final Mechanism mechanism;
  private final Adjacency adjacency;
  private final double clip;
  private final Generations generations;
  private final double share;

  /**
   * A choice of noise for one budget.
   *
   * @param clip bound of one example's gradient, in the mechanism's norm
   * @param share of the budget that metrics get, at least 0 and below 1
   */
  public Calibration(
      Budget budget,
      Mechanism mechanism,
      Adjacency adjacency,
      double clip,
      Generations generations,
      double share) {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException("share must be at least 0 and below 1, but was " + share);
    }
    this.budget = budget;
    this.mechanism = mechanism;
    this.adjacency = adjacency;
    this.clip = clip;
    this.generations = generations;
    this.share = share;
  }

  /**
   * The smallest standard deviation of the noise per coordinate of the sum, but for rounding up, under which so
   * many rounds fit the budget, every record a unit of its own, without generations or metrics.
   *
   * @param rounds the horizon, at least 1; {@link Long#MAX_VALUE} for an endless stream, where the mechanism has a
   *     limit
   */
  public static double sigma(
      Budget budget, Mechanism mechanism, Adjacency adjacency, double clip, long rounds) {
    return new Calibration(budget, mechanism, adjacency, clip, Generations.NONE, 0)
        .sigma(Contributions.ONE, rounds);
  }

  /**
   * The smallest noise under which so many rounds fit, if a unit takes part as a bound allows.
   *
   * @param rounds the horizon, at least 1; {@link Long#MAX_VALUE} for an endless stream
   */
  public double sigma(Contributions bound, long rounds) {
    if (rounds < 1) {
      throw new IllegalArgumentException("the horizon must be at least 1 round, but was " + rounds);
    }
    double reach = unitAccount(bound, 1).mu(rounds);
    if (mechanism.isPure()) {
      reach = unitAccount(bound, 1).pureEpsilon(rounds);
    }
    // Up by what the sum of two squares may round up, where metrics share the budget.
    double sigma = reach / modelShare() * (share > 0 ? 1 + 1e-12 : 1);
    if (!(sigma > 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("no finite noise fits epsilon " + budget.epsilon()
          + " at delta " + budget.delta() + " for "
          + mechanism.name() + " over "
          + (rounds == Long.MAX_VALUE ? "an endless stream" : rounds + " rounds"));
    }
    while (share == 0 && !unitAccount(bound, sigma, budget.spentMu()).allows(budget, rounds)) {
      sigma = Math.nextUp(sigma * (1 + 0x1p-52));
    }
    return sigma;
  }

  private double modelShare() {
    return mechanism.isPure()
        ? budget.pureLimit() * (1 - share)
        : budget.muLimit() * Math.sqrt(1 - share);
  }

  private Account unitAccount(Contributions bound, double sigma) {
    return unitAccount(bound, sigma, 0);
  }

  private Account unitAccount(Contributions bound, double sigma, double spentMu) {
    boolean once = bound.equals(Contributions.ONE);
    return new Account(
        mechanism,
        clip,
        sigma,
        adjacency,
        once ? PrivacyUnit.RECORD : PrivacyUnit.KEY,
        once ? new Participation.Once() : new Participation.Scheduled(bound),
        generations,
        0,
        budget.delta(),
        spentMu);
  }

  /**
   * The smallest noise under which a unit's budget, less the metrics' share, admits it to so many consecutive rounds
   * (blt.md section 4). Rounds that lie further apart cost no more.
   *
   * @param participations at least 1
   */
  public double sigmaOfBudgeted(long participations) {
    double all = Math.sqrt(unitCost(new Contributions(participations, 1)));
    return all / (budget.muLimit() * Math.sqrt(1 - share)) * ABOVE_ROUNDING;
  }

  /** mu^2 for ever, of a schedule under noise of standard deviation 1. */
  private double unitCost(Contributions bound) {
    double mu = unitAccount(bound, 1).muLimit();
    return mu * mu;
  }

  /**
   * The noise of each metric, under a fixed bound.
   *
   * @param rounds the horizon; {@link Long#MAX_VALUE} for an endless stream
   */
  public double metricsSigma(Contributions bound, long rounds) {
    checkShare();
    double mu = mechanism.isPure()
        ? GaussianDp.mu(budget.epsilon() * share, budget.delta())
        : budget.muLimit() * Math.sqrt(share);
    double participations = Math.sqrt(bound.within(rounds));
    // Up by what the sum of the two squares may round up.
    return MetricsPlan.sensitivity(adjacency) * participations / mu * (1 + 1e-12);
  }

  /**
   * The noise of each metric where units have a budget each: so many participations use up the metrics' share of it.
   *
   * @param participations those of {@link #sigmaOfBudgeted}
   */
  public double metricsSigmaOfBudgeted(long participations) {
    checkShare();
    double one = budget.muLimit() * Math.sqrt(share / participations);
    return MetricsPlan.sensitivity(adjacency) / one * ABOVE_ROUNDING;
  }

  /** The same beside a model's noise of choice: the metrics' share of what one participation alone costs. */
  public double metricsSigmaBeside(double sigma) {
    checkShare();
    double one = Math.sqrt(unitCost(Contributions.ONE)) / sigma;
    return MetricsPlan.sensitivity(adjacency) / (one * Math.sqrt(share / (1 - share)));
  }

  private void checkShare() {
    if (share == 0) {
      throw new IllegalArgumentException("metrics without a share of the budget need no noise");
    }
  }
}
