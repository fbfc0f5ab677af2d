package dev.sotto.app.plan;

import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.round.Account;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Admission;
import dev.sotto.learner.unit.Participation;
import java.util.Objects;

/**
 * A plan, and what it would be with one thing changed. Every cost comes from the learner's own account.
 *
 * @param horizon the rounds that the noise was made for, at least 1; {@link Outlook#LIMIT} for an endless stream
 * @param metricsShare the share of the budget that private metrics get, at least 0 and below 1
 */
public record Scenario(Plan plan, long horizon, double metricsShare) {
  /** Beyond so many rounds in a row a unit is not followed. */
  private static final long LONGEST_ROW = 100_000;

  public Scenario {
    Objects.requireNonNull(plan, "plan");
    if (horizon < 1) {
      throw new IllegalArgumentException("horizon must be at least 1 round, but was " + horizon);
    }
  }

  /** Of the plan with another mechanism and noise. */
  Account account(Mechanism mechanism, double sigma) {
    return account(mechanism, plan.clip(), sigma, plan.participation());
  }

  /** Of the plan with another mechanism, clip, noise and participation rule. */
  Account account(Mechanism mechanism, double clip, double sigma, Participation participation) {
    boolean byKey = participation instanceof Participation.Scheduled
        || participation instanceof Participation.Budgeted;
    return new Account(
        mechanism,
        clip,
        sigma,
        plan.adjacency(),
        byKey ? PrivacyUnit.KEY : PrivacyUnit.RECORD,
        participation,
        plan.generations(),
        metricsRatio(),
        plan.budget().delta(),
        plan.budget().spentMu());
  }

  /** The plan's own mechanism. */
  public Candidate own() {
    return Candidate.own(plan);
  }

  /** Price and error of the plan's own mechanism with another clip and noise. */
  public Outlook.Noise own(double clip, double sigma, long rounds) {
    Account account = account(plan.mechanism(), clip, sigma, plan.participation());
    return new Outlook.Noise(
        sigma, Cost.of(account, plan, rounds), error(plan.mechanism(), sigma, rounds));
  }

  /** What one participation in the metrics costs: s_m / sigma_m. */
  double metricsRatio() {
    return plan.metrics() == null ? 0 : plan.metrics().ratio(plan.adjacency());
  }

  /** After so many rounds, or at the limit. */
  PrefixError error(Mechanism mechanism, double sigma, long rounds) {
    return PrefixError.of(mechanism, plan.generations(), sigma, rounds);
  }

  /**
   * The noise that keeps the plan's price when its horizon is another, over the plan's: 1 where units have budgets of
   * their own, whose price is no matter of rounds.
   */
  public double sensitivityRatio(long otherHorizon) {
    if (isBudgeted() || otherHorizon == horizon) {
      return 1;
    }
    Account account = account(plan.mechanism(), plan.sigma());
    return account.matrixSensitivity(otherHorizon) / account.matrixSensitivity(horizon);
  }

  /** To how many rounds in a row, from the first, the plan admits a unit; at least 1, and at most 100,000. */
  long inARow() {
    Admission admission = plan.account().admission().orElseThrow();
    byte[] history = admission.admit(null, 1);
    long rounds = 1;
    while (history != null && rounds < LONGEST_ROW) {
      history = admission.admit(history, rounds + 1);
      rounds += history == null ? 0 : 1;
    }
    return rounds;
  }

  /** The most rounds whose noise adds up before a generation begins anew. */
  long longestPrefix() {
    Generations generations = plan.generations();
    return generations.kind() == Generations.Kind.CONSTANT
        ? Math.min(horizon, generations.first())
        : horizon;
  }

  /** Whether a unit's own book bounds what it gives, rather than the number of rounds. */
  boolean isBudgeted() {
    return plan.participation() instanceof Participation.Budgeted;
  }
}
