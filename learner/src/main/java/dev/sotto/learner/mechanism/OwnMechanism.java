package dev.sotto.learner.mechanism;

/**
 * A mechanism that belongs to an algorithm and comes with it: answers of queries, and not prefixes
 * of rounds, carry noise. Where slots enter sums whole, its noise is scaled so that one participation,
 * in whatever slot, costs {@code s / sigma}: {@link #sensitivity(long)} is 1.
 */
public abstract class OwnMechanism extends Mechanism {
  OwnMechanism() {}

  @Override
  public double sensitivity(long rounds) {
    return 1;
  }

  @Override
  public double sensitivityLimit() {
    return 1;
  }

  @Override
  public final double[][] matrix(int rounds) {
    return identity(rounds);
  }

  /** The number by which sigma is multiplied for the smallest noise that it ever adds. */
  public abstract double leastNoise();

  /** That of one query in a round: what any of them costs. */
  public static OwnMechanism ofOneQuery() {
    return new QueryNoise(QuerySchedule.onePass(1, 1));
  }

  /** The same, where no unit's own budget can follow what it costs: that of sampled queries. */
  public static OwnMechanism ofOneSampledQuery() {
    return new QueryNoise(QuerySchedule.onePass(1, 1), false);
  }

  /** Fresh noise on every query of a block, sampled or not. */
  public static OwnMechanism ofQueries(QuerySchedule schedule) {
    return schedule.sampling().isSecret()
        ? new SampledQueryNoise(schedule)
        : new QueryNoise(schedule);
  }

  /**
   * Whether it is the mechanism of an algorithm with these queries.
   *
   * @param queries of a block; null where each round is one query
   */
  public abstract boolean fits(QuerySchedule queries);

  /** Queries of a round: of a block, or one where every round is one. */
  public abstract long queries();

  /** Whether it goes on from round to round, and does not begin anew with every block. */
  public abstract boolean isEndless();

  /**
   * Whether slots move a point, one after the other, and are not added up: then their order matters,
   * and there are no sums of parts.
   */
  public boolean isOrdered() {
    return false;
  }

  /** Whether each step is taken at a perturbation of its own, drawn under the noise key. */
  public boolean isPerturbed() {
    return false;
  }

  /** The same for another number of weights, where what it charges depends on that. */
  public OwnMechanism ofDimension(int dimension) {
    return this;
  }

  /** Which slots its queries read, where every query is answered with noise of its own; else null. */
  public QuerySchedule schedule() {
    return null;
  }

  /** Standard deviation of the noise of each sum of a query, as a multiple of sigma. */
  public double noise(long query) {
    throw new IllegalStateException(name() + " adds no noise to single queries");
  }

  @Override
  public final NoiseState start() {
    throw new IllegalStateException(name() + " has no noise of prefixes");
  }

  @Override
  public final NoiseState resume(PagedBytes state) {
    return start();
  }
}
