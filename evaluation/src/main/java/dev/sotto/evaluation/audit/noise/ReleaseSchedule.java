package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;

/**
 * The noisy vectors that a plan releases, in their order, from 1: the prefix sum of each round, or
 * the answer of each query of each block. With a tree of momentum they are decayed sums.
 */
public final class ReleaseSchedule {
  private static final double WIDEST_ROUNDING = 0x1p-9; // on every lattice

  private final QuerySchedule queries; // null where each round is one release
  private final long batch;

  private ReleaseSchedule(QuerySchedule queries, long batch) {
    this.queries = queries;
    this.batch = batch;
  }

  /**
   * The releases of a plan.
   *
   * @throws IllegalArgumentException where they are not known here
   */
  public static ReleaseSchedule of(Plan plan) {
    if (!serves(plan)) {
      throw new IllegalArgumentException("the audit knows prefixes of rounds, queries with fresh"
          + " noise and decayed sums, but the mechanism is " + plan.mechanism().name());
    }
    return new ReleaseSchedule(plan.optimizer().queries(), plan.batch());
  }

  /** Whether the releases of a plan are known here. */
  public static boolean serves(Plan plan) {
    return plan.mechanism() instanceof QueryNoise
        || plan.mechanism() instanceof MomentumTree
        || !plan.hasOwnMechanism();
  }

  /**
   * The same plan for any number of coordinates: a tree pays for the rounding of its leaves, which
   * grows with their number, and gets at most some thousandths more noise here.
   */
  public static Plan ofAnyWidth(Plan plan) {
    if (!(plan.mechanism() instanceof MomentumTree tree)) {
      return plan;
    }
    QuerySchedule queries = plan.optimizer().queries();
    double beta = tree.beta();
    if (queries == null) {
      return plan.toBuilder()
          .mechanism(MomentumTree.endless(beta, WIDEST_ROUNDING))
          .build();
    }
    QuerySchedule.Segment only = queries.segments().get(0);
    return plan.toBuilder()
        .mechanism(MomentumTree.block(only.batches(), only.passes(), beta, WIDEST_ROUNDING))
        .build();
  }

  /** Whether rounds are blocks, and releases answers of their queries. */
  public boolean isOfQueries() {
    return queries != null;
  }

  /** The queries of a block. */
  public QuerySchedule queries() {
    return queries;
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
    return queries.query(number(release));
  }

  /** Its number in its block, from 1. */
  public long number(int release) {
    return (release - 1) % perRound() + 1;
  }
}
