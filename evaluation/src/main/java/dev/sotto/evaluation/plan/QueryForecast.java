package dev.sotto.evaluation.plan;

import java.util.List;

/**
 * What a plan costs whose algorithm brings its own mechanism, and what it takes: other mechanisms
 * and other round sizes mean nothing there. It follows from public settings alone.
 *
 * @param given settings that say what somebody chose
 * @param rounds blocks, or rounds where each is one query; what a record has cost after them
 * @param work of a block, or of a round
 * @param unit what one unit contributes
 * @param advice where another choice would be better, one or two sentences each; empty for none
 */
public record QueryForecast(
    PlanScenario scenario,
    GivenSettings given,
    List<After> rounds,
    Work work,
    UnitCost unit,
    List<String> advice) {
  public QueryForecast {
    rounds = List.copyOf(rounds);
    advice = List.copyOf(advice);
  }

  /** {@link Work#parts} of a block. */
  public List<Part> parts() {
    return work.parts();
  }

  /** {@link Work#reading} of a block. */
  public Reading reading() {
    return work.reading();
  }

  /** {@link Work#memory} of a model. */
  public Memory memory() {
    return work.memory();
  }

  /**
   * Settings from which the plan followed.
   *
   * @param blockSlots 0 where the algorithm chose
   * @param moments whether a moment of the gradients was given
   * @param normed whether features have a norm of at most 1
   */
  public record GivenSettings(long blockSlots, boolean moments, boolean normed) {}

  /**
   * What everything published has cost.
   *
   * @param rounds after which, or {@link PlanForecast#LIMIT}
   */
  public record After(long rounds, PrivacyCost cost) {}

  /**
   * What a block takes, or a round.
   *
   * @param reading what reading its events takes
   * @param parts in the order in which they are worked at; one where a round is one query
   * @param memory of one model
   * @param pool of queries at several points; null where each asks at one
   */
  public record Work(Reading reading, List<Part> parts, Memory memory, Pool pool) {
    public Work {
      parts = List.copyOf(parts);
    }
  }

  /**
   * Queries over one range of a block's slots.
   *
   * @param queries in all
   * @param gradients of one example in one query, at most: 1 or 2; with several points their
   *     number, where slots are sampled the expected one; 0 where slots are only read
   * @param clip l2 bound of what an example adds to the mean of each point, in the last of them:
   *     the first ones of a block may have a larger one
   * @param noise null where slots are only read, and nothing is answered
   */
  public record Part(Range range, long queries, double gradients, double clip, QueryStd noise) {
    /** How often its slots are read. */
    public long passes() {
      return range.passes();
    }

    /** Whether its queries are answered. */
    public boolean answers() {
      return noise != null;
    }
  }

  /**
   * Slots of a block.
   *
   * @param first from 0
   * @param batches of a pass
   * @param passes over the range, queries in a row over one batch included
   */
  public record Range(long first, long slots, long batches, long passes) {}

  /**
   * The noise of a query, as standard deviations or relative to the clip; with several points, that
   * of each.
   *
   * @param sumStd of the sum, per coordinate
   * @param meanStd of the mean over the slots of a query, per coordinate, as the algorithm uses it;
   *     over the expected number of slots where they are sampled
   * @param noiseOfOne the length of the noise of one mean, over all coordinates, relative to the
   *     clip
   * @param noiseOfAll the same of the mean of all queries of the part, at all their points
   */
  public record QueryStd(double sumStd, double meanStd, double noiseOfOne, double noiseOfAll) {}

  /**
   * What reading takes.
   *
   * @param slots of a block, or of a round
   * @param queries of it
   * @param passes over the log, in the mean over its slots
   * @param mostReads how often one event is read, at most
   * @param gradients that a block takes; the expected number where slots are sampled
   * @param again whether an event is read more than once, and so must still be in the topic
   */
  public record Reading(
      long slots, long queries, double passes, long mostReads, double gradients, boolean again) {}

  /**
   * What queries at several points ask, and how much of it goes over the network in layout rounds.
   *
   * @param rounds of a block that are answered, one after the other
   * @param points of each
   * @param rate the probability with which a slot enters the sum of a point; 1 for all of them
   * @param touches sums of a block that a slot enters: all, or the expected number
   * @param down bytes of the centre that each worker gets in a round
   * @param up bytes of the sums of a worker's part of a round
   */
  public record Pool(long rounds, int points, double rate, double touches, long down, long up) {}

  /**
   * Bytes, for each model but for the events.
   *
   * @param iterates what the algorithm keeps
   * @param sums of the open query
   * @param refused one bit for each slot, where events are read again
   * @param events of the partition that are remembered, at most
   */
  public record Memory(long iterates, long sums, long refused, long events) {}

  /**
   * What one unit pays.
   *
   * @param rule by which its records are admitted, as a sentence
   * @param mu of one block, or round; where slots are sampled, without counting on that
   * @param blocks to which a unit is admitted that comes to each, at most 100,000; 1 for a record
   * @param most mu of all of them
   */
  public record UnitCost(String rule, double mu, long blocks, double most) {}

  /** The forecast after these numbers of rounds, each at least 1, and at the limit. */
  public static QueryForecast of(PlanScenario scenario, GivenSettings given, List<Long> rounds) {
    return new QueryForecastBuilder(scenario, given).build(rounds);
  }

  /** Whether slots are sampled by secret coins, so that epsilon is less than mu says. */
  boolean isSampled() {
    return !scenario.plan().mechanism().sampledSums().isEmpty();
  }

  /** Whether a round is a block of slots that is asked several queries. */
  boolean hasBlocks() {
    return scenario.plan().learnsFromBlocks();
  }
}
