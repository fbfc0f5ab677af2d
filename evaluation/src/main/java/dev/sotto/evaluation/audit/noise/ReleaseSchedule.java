package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;

/**
 * The noisy vectors that a plan releases, in their order, from 1: the prefix sum of each round, or
 * the answer of each query of each block.
 */
public final class ReleaseSchedule {
  private final QueryNoise queries; // null where each round is one release
  private final long batch;

  private ReleaseSchedule(QueryNoise queries, long batch) {
    this.queries = queries;
    this.batch = batch;
  }

  /**
   * The releases of a plan.
   *
   * @throws IllegalArgumentException for a mechanism of an algorithm's own whose queries do not have
   *     fresh noise each
   */
  public static ReleaseSchedule of(Plan plan) {
    QueryNoise queries = plan.mechanism() instanceof QueryNoise noise ? noise : null;
    if (!serves(plan)) {
      throw new IllegalArgumentException(
          "the audit knows mechanisms of prefixes and of queries with"
              + " fresh noise, but the mechanism is " + plan.mechanism().name());
    }
    return new ReleaseSchedule(queries, plan.batch());
  }

  /** Whether the releases of a plan are known here. */
  public static boolean serves(Plan plan) {
    return plan.mechanism() instanceof QueryNoise || !plan.hasOwnMechanism();
  }

  /** Whether rounds are blocks, and releases answers of their queries. */
  public boolean isOfQueries() {
    return queries != null;
  }

  /** The queries of a block. */
  public QuerySchedule queries() {
    return queries.schedule();
  }

  /** Releases of a number of rounds. */
  public int count(int rounds) {
    return Math.toIntExact(rounds * perRound());
  }

  private long perRound() {
    return queries == null ? 1 : queries.queries();
  }

  /** The round, or block, of a release, from 1. */
  public int round(int release) {
    return (int) ((release - 1) / perRound()) + 1;
  }

  /** Slots that are read for a release. */
  public long slots(int release) {
    return queries == null ? batch : query(release).slots();
  }

  /** The query that a release answers. */
  public QuerySchedule.Query query(int release) {
    return queries.schedule().query(number(release));
  }

  /** Its number in its block, from 1. */
  public long number(int release) {
    return (release - 1) % perRound() + 1;
  }

  /** Standard deviation of the noise of a query, as a multiple of sigma. */
  double noise(int release) {
    return queries.noise(number(release));
  }
}
