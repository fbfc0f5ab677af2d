package dev.sotto.learner.participation;

/**
 * Makes the admission of every rule that needs to remember its units; {@link Participation.Once}
 * needs none.
 */
public final class AdmissionRules {
  private AdmissionRules() {}

  /** One record per id, for ever. */
  public static Admission firstOfId() {
    return new FirstOfId();
  }

  /**
   * At most k participations over the model's life, rounds at least b apart; both hold across
   * generations.
   *
   * @param generations of the plan: histories of another schedule of restarts are refused
   */
  public static Admission scheduled(ContributionBound bound, GenerationSchedule generations) {
    return new ScheduleFilter(bound, generations);
  }

  /**
   * The per-unit filter of docs/blt.md, "Budget per unit", at most one participation per round, and
   * per number of rounds that is the rule's separation.
   * What a unit spends never exceeds the budget, roundings included; they leave at most a relative
   * 1e-14 of it unused per participation, and nothing where the sums are exact.
   *
   * @param ratioSquared (s/sigma)^2 of one participation, positive and finite
   * @param metricsRatioSquared the same of the private metrics of a record, 0 without
   * @throws IllegalArgumentException where a unit's first record could be refused: the budget is
   *     less than what one participation at the beginning of the longest generation commits it to
   */
  public static Admission budgeted(
      Participation.Budgeted rule,
      ColumnDecay memory,
      GenerationSchedule generations,
      double ratioSquared,
      double metricsRatioSquared) {
    BudgetFilter filter = filter(rule, memory, generations, ratioSquared, metricsRatioSquared);
    double one = filter.committedByOne();
    if (!(one <= filter.cap())) {
      throw new IllegalArgumentException("mu must be at least " + UpwardRounding.rootAbove(one)
          + " for one participation (mu^2 = " + one + " = " + ratioSquared
          + " (s/sigma)^2 times sens^2 = " + (one - metricsRatioSquared) / ratioSquared + ", plus "
          + metricsRatioSquared + " for metrics), but was " + rule.mu() + " (mu^2 = "
          + filter.cap() + "): nobody could ever contribute");
    }
    return filter;
  }

  /** The smallest mu that {@link #budgeted} takes. */
  public static double leastMu(
      ColumnDecay memory,
      GenerationSchedule generations,
      double ratioSquared,
      double metricsRatioSquared) {
    return UpwardRounding.rootAbove(filter(
            new Participation.Budgeted(1), memory, generations, ratioSquared, metricsRatioSquared)
        .committedByOne());
  }

  private static BudgetFilter filter(
      Participation.Budgeted rule,
      ColumnDecay memory,
      GenerationSchedule generations,
      double ratioSquared,
      double metricsRatioSquared) {
    if (!(ratioSquared > 0 && ratioSquared < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "ratioSquared must be positive and finite, but was " + ratioSquared);
    }
    if (!(metricsRatioSquared >= 0 && metricsRatioSquared < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "metricsRatioSquared must be at least 0 and finite, but was " + metricsRatioSquared);
    }
    return new BudgetFilter(rule, memory, generations, ratioSquared, metricsRatioSquared);
  }
}
