package dev.sotto.app.plan;

import dev.sotto.learner.unit.Contributions;
import java.util.List;

/**
 * What a plan will cost and how much noise it will bear, under its own mechanism and under every other one. It
 * follows from the plan alone: no data are read, and nothing is spent.
 *
 * @param rounds after which figures are told, ascending; the last is {@link #LIMIT}
 * @param groups one for each mechanism
 */
public record Outlook(Scenario scenario, List<Long> rounds, List<Group> groups) {
  /** In place of a number of rounds: an endless stream. */
  public static final long LIMIT = Long.MAX_VALUE;

  public Outlook {
    rounds = List.copyOf(rounds);
    groups = List.copyOf(groups);
  }

  /** The outlook of a scenario after these numbers of rounds, each at least 1, its horizon, and the limit. */
  public static Outlook of(Scenario scenario, List<Long> rounds) {
    return new Forecast(scenario, rounds).outlook();
  }

  /**
   * The figures under one mechanism.
   *
   * @param rows one for each of the outlook's rounds, or why the mechanism cannot serve the plan
   * @param returners how often a unit that keeps coming back is admitted; empty where no rule bounds it
   */
  public record Group(
      Candidate candidate, Answer<List<Row>> rows, List<Answer<Returner>> returners) {
    public Group {
      returners = List.copyOf(returners);
    }
  }

  /**
   * The figures under one mechanism after some number of rounds.
   *
   * @param rounds or {@link #LIMIT}
   * @param configured with the plan's noise
   * @param sameBudget with the least noise with which the plan's horizon fits its budget
   * @param madeForThis with the least noise with which these rounds fit the plan's budget
   * @param contributions what one and more contributions of one unit would cost, with the plan's noise
   * @param batches larger batches from as many records, with the plan's noise
   */
  public record Row(
      long rounds,
      Noise configured,
      Answer<Noise> sameBudget,
      Answer<Noise> madeForThis,
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
  public record Noise(double sigma, Cost cost, PrefixError error) {}

  /**
   * A fixed bound on what one unit contributes, and what it costs.
   *
   * @param factor of the noise that would keep the price of one contribution; not a number where there is no price
   */
  public record Contribution(Contributions bound, Answer<Cost> cost, double factor) {}

  /**
   * A batch that is larger by a factor, with the same records and so with fewer rounds.
   *
   * @param rounds or {@link #LIMIT}
   */
  public record LargerBatch(int factor, long batch, long rounds, Cost cost, PrefixError error) {}

  /**
   * A unit that would take part whenever so many rounds have passed.
   *
   * @param every 1 for each round
   * @param attempts how often it tried
   * @param admitted how often it was let in
   */
  public record Returner(long every, long attempts, long admitted) {}
}
