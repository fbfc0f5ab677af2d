package dev.sotto.learner.accounting;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.SampledSums;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Chooses the noise from a budget. A share of the budget may be set aside for private metrics: the
 * model gets mu^2 (1 - share), the metrics mu^2 share. A pure epsilon is not shared.
 */
public final class NoiseCalibration {
  /** The filter rounds against the unit, and would miss the last participation. */
  private static final double ABOVE_ROUNDING = 1 + 1e-9;

  private final Budget budget;
  private final Mechanism mechanism;
  private final Adjacency adjacency;
  private final double clip;
  private final GenerationSchedule generations;
  private final double share;
  private final Candidates candidates;

  /** A choice of noise for one budget, of a model that learns alone. */
  public NoiseCalibration(
      Budget budget,
      Mechanism mechanism,
      Adjacency adjacency,
      double clip,
      GenerationSchedule generations,
      double share) {
    this(
        budget,
        new AccountedNoise(mechanism, clip, 1, adjacency, Candidates.ALONE),
        generations,
        share);
  }

  /**
   * A choice of noise for one budget.
   *
   * @param noise whose standard deviation is sought: what it says of that does not matter
   * @param share of the budget that metrics get, at least 0 and below 1; of all candidates
   *     together
   */
  public NoiseCalibration(
      Budget budget, AccountedNoise noise, GenerationSchedule generations, double share) {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException("share must be at least 0 and below 1, but was " + share);
    }
    if (share > 0 && noise.mechanism().isPure()) {
      throw new IllegalArgumentException(
          "share must be 0 with mechanism " + noise.mechanism().name() + ", but was " + share);
    }
    this.budget = budget;
    this.mechanism = noise.mechanism();
    this.adjacency = noise.adjacency();
    this.clip = noise.clip();
    this.candidates = noise.candidates();
    this.generations = generations;
    this.share = share;
  }

  /**
   * The smallest standard deviation of the noise per coordinate of the sum, but for rounding up,
   * under which a number of rounds fit the budget, every record a unit of its own, without
   * generations or metrics.
   *
   * @param rounds the horizon, at least 1; {@link Long#MAX_VALUE} for an endless stream, where the
   *     mechanism has a limit
   */
  public static double sigma(
      Budget budget, Mechanism mechanism, Adjacency adjacency, double clip, long rounds) {
    return new NoiseCalibration(budget, mechanism, adjacency, clip, GenerationSchedule.NONE, 0)
        .sigma(ContributionBound.ONE, rounds);
  }

  /**
   * The smallest noise under which a number of rounds fit, if a unit takes part as a bound allows;
   * with secret sampling a relative 2^-11 above it at most, found in seconds.
   *
   * @param rounds the horizon, at least 1; {@link Long#MAX_VALUE} for an endless stream
   */
  public double sigma(ContributionBound bound, long rounds) {
    if (rounds < 1) {
      throw new IllegalArgumentException("the horizon must be at least 1 round, but was " + rounds);
    }
    double reach = unitAccount(bound, 1).mu(rounds);
    if (mechanism.isPure()) {
      reach = unitAccount(bound, 1).pureEpsilon(rounds);
    }
    // Up by what the sum of two squares may round up, where metrics share the budget.
    double sigma = reach / modelShare(bound, rounds) * (share > 0 ? 1 + 1e-12 : 1);
    if (!(sigma > 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("no finite noise fits epsilon " + budget.epsilon()
          + " at delta " + budget.delta() + " for "
          + mechanism.name() + " over "
          + (rounds == Long.MAX_VALUE ? "an endless stream" : rounds + " rounds"));
    }
    while (share == 0 && !unitAccount(bound, sigma, budget.spentMu()).allows(budget, rounds)) {
      sigma = Math.nextUp(sigma * (1 + 0x1p-52));
    }
    return mechanism.sampledSums().isEmpty() ? sigma : sampled(bound, rounds, sigma);
  }

  /**
   * Less than without sampling.
   *
   * @param allowed the noise without
   */
  private double sampled(ContributionBound bound, long rounds, double allowed) {
    if (share > 0) {
      throw new IllegalArgumentException(
          "share must be 0 with mechanism " + mechanism.name() + ", but was " + share);
    }
    List<SampledSums> sums = mechanism.sampledSums();
    long times = bound.within(rounds);
    SampledLosses.Composition composition =
        new SampledLosses.Composition(times, adjacency, budget.delta(), budget.spentMu());
    DoubleUnaryOperator roughly =
        sigma -> SampledLosses.roughly(sums, sigma / clip).epsilon(composition);
    SampledCalibration rough = new SampledCalibration(
        budget.epsilon(), roughly, (sigma, epsilon) -> epsilon <= budget.epsilon());
    double guess =
        rough.sigma(allowed, SampledCalibration.guess(budget, adjacency, clip, sums, times));
    return new SampledCalibration(
            budget.epsilon(),
            sigma -> unitAccount(bound, sigma, budget.spentMu()).epsilon(rounds),
            (sigma, epsilon) -> unitAccount(bound, sigma, budget.spentMu()).allows(budget, rounds))
        .like(rough)
        .sigma(allowed, guess);
  }

  private double modelShare(ContributionBound bound, long rounds) {
    return mechanism.isPure()
        ? budget.pureLimit()
        : budget.beside(failure(bound, rounds)).muLimit() * Math.sqrt(1 - share);
  }

  /** At least that of any rule of participation with this bound. */
  private double failure(ContributionBound bound, long rounds) {
    double once = mechanism.failure() * (adjacency == Adjacency.REPLACE_ONE ? 2 : 1);
    return once == 0 ? 0 : Math.nextUp(once * bound.within(rounds));
  }

  private PrivacyAccountant unitAccount(ContributionBound bound, double sigma) {
    return unitAccount(bound, sigma, 0);
  }

  private PrivacyAccountant unitAccount(ContributionBound bound, double sigma, double spentMu) {
    boolean once = bound.equals(ContributionBound.ONE);
    Participation rule = once ? new Participation.Once() : new Participation.Scheduled(bound);
    return new PrivacyAccountant(
        new AccountedNoise(mechanism, clip, sigma, adjacency, candidates),
        AccountedContribution.of(rule, generations),
        0,
        budget.delta(),
        spentMu);
  }

  /**
   * The smallest noise under which a unit's budget, less the metrics' share, admits it to a number
   * of rounds that lie a separation apart (docs/blt.md, "Budget per unit"). Rounds that lie further
   * apart cost no more.
   *
   * @param participations at least 1
   * @param separation in rounds, at least 1; 1 for rounds in a row
   */
  public double sigmaOfBudgeted(long participations, long separation) {
    double all = Math.sqrt(unitCost(new ContributionBound(participations, separation)));
    return all / (budget.muLimit() * Math.sqrt(1 - share)) * ABOVE_ROUNDING;
  }

  /** mu^2 for ever, of a schedule under noise of standard deviation 1. */
  private double unitCost(ContributionBound bound) {
    double mu = unitAccount(bound, 1).muLimit();
    return mu * mu;
  }

  /**
   * The noise of each metric, under a fixed bound.
   *
   * @param rounds the horizon; {@link Long#MAX_VALUE} for an endless stream
   */
  public double metricsSigma(ContributionBound bound, long rounds) {
    checkShare();
    double mu = budget.muLimit() * Math.sqrt(share);
    double participations = Math.sqrt(bound.within(rounds));
    // Up by what the sum of the two squares may round up.
    return metricsSensitivity() * participations / mu * (1 + 1e-12);
  }

  /**
   * The noise of each metric where units have a budget each: a number of participations use up the
   * metrics' share of it.
   *
   * @param participations those of {@link #sigmaOfBudgeted}
   */
  public double metricsSigmaOfBudgeted(long participations) {
    checkShare();
    double one = budget.muLimit() * Math.sqrt(share / participations);
    return metricsSensitivity() / one * ABOVE_ROUNDING;
  }

  /**
   * The same beside a model's noise of choice: the metrics' share of what one participation alone
   * costs.
   */
  public double metricsSigmaBeside(double sigma) {
    checkShare();
    double one = Math.sqrt(unitCost(ContributionBound.ONE)) / sigma;
    return metricsSensitivity() / (one * Math.sqrt(share / (1 - share)));
  }

  /** Of the metrics of all candidates together. */
  private double metricsSensitivity() {
    return PrivateMetrics.sensitivity(adjacency) * candidates.factor();
  }

  private void checkShare() {
    if (share == 0) {
      throw new IllegalArgumentException("metrics without a share of the budget need no noise");
    }
  }
}
