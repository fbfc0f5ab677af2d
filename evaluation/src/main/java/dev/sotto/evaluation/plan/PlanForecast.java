package dev.sotto.evaluation.plan;

import dev.sotto.learner.participation.ContributionBound;
import java.util.List;

/**
 * What a plan will cost and how much noise it will bear, under its own mechanism and under every
 * other one. It follows from the plan alone: no data are read, and nothing is spent.
 *
 * @param rounds after which there are figures, ascending; the last is {@link #LIMIT}
 * @param groups one for each mechanism
 */
public record PlanForecast(PlanScenario scenario, List<Long> rounds, List<Group> groups) {
  /** In place of a number of rounds: an endless stream. */
  public static final long LIMIT = Long.MAX_VALUE;

  public PlanForecast {
    rounds = List.copyOf(rounds);
    groups = List.copyOf(groups);
  }

  /** The forecast after these numbers of rounds, each at least 1, the horizon, and the limit. */
  public static PlanForecast of(PlanScenario scenario, List<Long> rounds) {
    return new ForecastBuilder(scenario, rounds).build();
  }

  /**
   * The figures under one mechanism.
   *
   * @param rows one for each of the forecast's rounds, or why the mechanism cannot serve the plan
   * @param returners how often a unit that keeps coming back is admitted; empty where no rule
   *     bounds it
   */
  public record Group(
      MechanismOption option,
      FigureOrReason<List<Row>> rows,
      List<FigureOrReason<Returner>> returners) {
    public Group {
      returners = List.copyOf(returners);
    }
  }

  /**
   * The figures under one mechanism after some number of rounds.
   *
   * @param rounds or {@link #LIMIT}
   * @param configured with the plan's noise
   * @param sameBudget with the smallest noise with which the plan's horizon fits its budget
   * @param madeForThis with the smallest noise with which these rounds fit the plan's budget
   * @param contributions what one and more contributions of one unit would cost, with the plan's
   *     noise
   * @param batches larger batches from as many records, with the plan's noise
   */
  public record Row(
      long rounds,
      Noise configured,
      FigureOrReason<Noise> sameBudget,
      FigureOrReason<Noise> madeForThis,
      List<Contribution> contributions,
      List<LargerBatch> batches) {
    public Row {
      contributions = List.copyOf(contributions);
      batches = List.copyOf(batches);
    }
  }

  /**
   * Price and error of one noise.
   *
   * @param sigma standard deviation per coordinate of a round's sum
   */
  public record Noise(double sigma, PrivacyCost cost, PrefixError error) {}

  /**
   * A fixed bound on what one unit contributes, and what it costs.
   *
   * @param factor of the noise that would keep the cost of one contribution; not a number where
   *     there is no cost
   */
  public record Contribution(
      ContributionBound bound, FigureOrReason<PrivacyCost> cost, double factor) {}

  /**
   * A batch that is larger by a factor, with the same records and so with fewer rounds.
   *
   * @param rounds or {@link #LIMIT}
   */
  public record LargerBatch(
      int factor, long batch, long rounds, PrivacyCost cost, PrefixError error) {}

  /**
   * A unit that tries to take part at regular intervals.
   *
   * @param every the interval in rounds; 1 for each round
   * @param attempts how often it tried
   * @param admitted how often it was admitted
   */
  public record Returner(long every, long attempts, long admitted) {}
}
