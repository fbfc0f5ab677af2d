package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The noisy vectors that a plan releases, in their order, from 1: the prefix sum of each round, or
 * the answer of each query of each block; where queries ask at several points, the answer at each
 * of them, one after the other. Queries that are only read release nothing. With a tree of momentum
 * they are decayed sums, and with windows sums over the last queries. Where slots move a path, a
 * release is the average of a phase less the public point where the phase began.
 */
public final class ReleaseSchedule {
  private final QuerySchedule queries; // null where each round is one release
  private final long batch;
  private final int points;
  private final QueryMechanism own; // null where prefixes have noise
  private final long[] answered; // numbers of the queries that are answered
  private final long[] read; // slots that are read for each of them

  private ReleaseSchedule(QuerySchedule queries, long batch, QueryMechanism own) {
    this.own = own;
    this.queries = queries;
    this.batch = batch;
    this.points = queries == null ? 1 : queries.sampling().points();
    this.answered = queries == null
        ? new long[0]
        : LongStream.rangeClosed(1, queries.queries()).filter(queries::answers).toArray();
    this.read = new long[answered.length];
    for (int i = 0; i < answered.length; i++) {
      for (long q = i == 0 ? 1 : answered[i - 1] + 1; q <= answered[i]; q++) {
        read[i] += queries.query(q).slots();
      }
    }
  }

  /**
   * The releases of a plan.
   *
   * @throws IllegalArgumentException where they are not known here
   */
  public static ReleaseSchedule of(Plan plan) {
    if (!serves(plan)) {
      throw new IllegalArgumentException("the audit knows " + QueryMechanism.AUDITED
          + ", but the mechanism is "
          + plan.mechanism().name()
          + " " + plan.mechanism().parameters());
    }
    return new ReleaseSchedule(
        plan.optimizer().block().orElse(null),
        plan.batch(),
        plan.mechanism().ofQueries().orElse(null));
  }

  /** Whether the releases of a plan are known here. */
  public static boolean serves(Plan plan) {
    return plan.mechanism().audits();
  }

  /**
   * The same plan for any number of coordinates: a tree pays for the rounding of its leaves, which
   * grows with their number, and gets at most some thousandths more noise here.
   */
  public static Plan ofAnyWidth(Plan plan) {
    return plan.mechanism()
        .ofQueries()
        .map(each -> plan.toBuilder().mechanism(each.ofAnyLattice()).build())
        .orElse(plan);
  }

  /** A plan with another number of coordinates. */
  public static Plan wide(Plan plan, int dimension) {
    PlanBuilder wide =
        plan.toBuilder().dimension(dimension).optimizer(plan.optimizer().ofDimension(dimension));
    plan.mechanism().ofQueries().ifPresent(each -> wide.mechanism(each.ofDimension(dimension)));
    return wide.build();
  }

  /** What a release answers, for reports: a round, a query of a block, or a phase of a path. */
  public String noun() {
    return queries == null ? "round" : own.noun();
  }

  /** {@link #noun} of several. */
  public String nouns() {
    return queries == null ? "rounds" : own.nouns();
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
    return queries == null ? 1 : (long) answered.length * points;
  }

  /** The round, or block, of a release, from 1. */
  public int round(int release) {
    return (int) ((release - 1) / perRound()) + 1;
  }

  /**
   * Slots that are read before a release, behind the one before it: none for the answers at all
   * points of a query but the first.
   */
  public long slots(int release) {
    if (queries == null) {
      return batch;
    }
    return point(release) > 0 ? 0 : read[index(release)];
  }

  /**
   * What the mean of a release is divided by: slots of its query, or the expected number. The
   * average of a path is released as it is.
   */
  public double divisor(int release) {
    return queries == null
        ? batch
        : own.divisor(query(release).slots() * queries.sampling().rate());
  }

  /** The query that a release answers. */
  public QuerySchedule.Query query(int release) {
    return queries.query(number(release));
  }

  /** The number of that query in its block, from 1. */
  public long number(int release) {
    return answered[index(release)];
  }

  /** The point of that query, from 0. */
  public int point(int release) {
    return (int) ((release - 1) % perRound()) % points;
  }

  private int index(int release) {
    return (int) ((release - 1) % perRound()) / points;
  }

  /**
   * The releases of a query, at all its points, counted in its block from 1; none of one that is
   * only read.
   */
  public int[] ofQuery(long number) {
    int index = Arrays.binarySearch(answered, number);
    return index < 0
        ? new int[0]
        : IntStream.rangeClosed(index * points + 1, (index + 1) * points).toArray();
  }

  /** The first release of the block of a release. */
  public int firstOfBlock(int release) {
    return (int) ((release - 1) / perRound() * perRound()) + 1;
  }
}
