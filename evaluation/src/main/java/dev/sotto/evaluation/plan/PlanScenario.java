package dev.sotto.evaluation.plan;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.Objects;
import java.util.Optional;

/**
 * A plan, and what it would be with one thing changed. Every cost comes from the learner's own
 * account.
 *
 * @param horizon the rounds that the noise was made for, at least 1; {@link PlanForecast#LIMIT} for
 *     an endless stream
 * @param metricsShare the share of the budget that private metrics get, at least 0 and below 1
 */
public record PlanScenario(Plan plan, long horizon, double metricsShare) {
  /** The most rounds in a row that a unit is followed. */
  private static final long LONGEST_ROW = 100_000;

  public PlanScenario {
    Objects.requireNonNull(plan, "plan");
    if (horizon < 1) {
      throw new IllegalArgumentException("horizon must be at least 1 round, but was " + horizon);
    }
  }

  /** Of the plan with another mechanism and noise. */
  PrivacyAccountant account(Mechanism mechanism, double sigma) {
    return account(mechanism, plan.clip(), sigma, plan.participation());
  }

  /**
   * Of the plan with another mechanism, clip, noise and participation rule. The counts of ranges
   * are a part of the plan's own guarantee only.
   */
  PrivacyAccountant account(
      Mechanism mechanism, double clip, double sigma, Participation participation) {
    boolean own = mechanism.name().equals(plan.mechanism().name())
        && mechanism.parameters().equals(plan.mechanism().parameters())
        && clip == plan.clip()
        && sigma == plan.sigma();
    return new PrivacyAccountant(
        new AccountedNoise(mechanism, clip, sigma, plan.adjacency(), plan.candidates()),
        AccountedContribution.of(participation, plan.generations()),
        metricsRatio(),
        plan.budget().delta(),
        plan.budget().spentMu(),
        own ? plan.ranges().window() : Optional.empty());
  }

  /** What one participation in the metrics costs: s_m / sigma_m. */
  double metricsRatio() {
    return plan.metrics() == null ? 0 : plan.metrics().ratio(plan.adjacency());
  }

  /** After a number of rounds, or at the limit. */
  PrefixError error(PrefixMechanism mechanism, double sigma, long rounds) {
    return PrefixError.of(mechanism, plan.generations(), sigma, rounds);
  }

  /** {@link PrivacyAccountant#roundsInARow} of the plan: 1 to 100,000. */
  long inARow() {
    return plan.account().roundsInARow(LONGEST_ROW);
  }

  /** The most rounds whose noise adds up before a generation begins anew. */
  long longestPrefix() {
    GenerationSchedule generations = plan.generations();
    return generations.kind() == GenerationSchedule.Kind.CONSTANT
        ? Math.min(horizon, generations.first())
        : horizon;
  }

  /** Whether each unit has a budget of its own, whatever the number of rounds. */
  boolean isBudgeted() {
    return plan.participation().isBudgeted();
  }
}
