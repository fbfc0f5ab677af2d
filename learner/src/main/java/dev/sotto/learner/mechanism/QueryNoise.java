package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.Optional;

/**
 * Fresh Gaussian noise on every query of a block; a round is a block. The cost of a slot is the root
 * of the sum of squares over the queries that read it, and a block costs what its worst slot costs:
 * the queries' noise is scaled so that this is one participation.
 */
public final class QueryNoise extends OwnMechanism {
  /** The name in ledgers. */
  public static final String NAME = "block-queries";

  private static final double WIDEST = 0x1p11;

  private final QuerySchedule schedule;
  private final double scale;
  private final boolean followed;

  /**
   * The noise of a schedule.
   *
   * @param schedule without secret sampling; with several points, s is the bound of one vector, and
   *     a query costs as many at one point would
   */
  public QueryNoise(QuerySchedule schedule) {
    this(schedule, true);
  }

  QueryNoise(QuerySchedule schedule, boolean followed) {
    if (schedule.sampling().isSecret()) {
      throw new IllegalArgumentException("the rate of " + NAME + " must be 1, but was "
          + schedule.sampling().rate() + "; " + SampledQueryNoise.NAME + " samples slots");
    }
    this.schedule = schedule;
    this.followed = followed;
    // Upwards by far more than what root and sum can lose.
    this.scale =
        Math.sqrt(schedule.sampling().points() * schedule.worstPrecision()) * (1 + 0x1p-40);
    if (!(Math.sqrt(prefixVariance(1)) <= WIDEST * leastNoise())) {
      throw new IllegalArgumentException("the noise of one query must be at most " + WIDEST
          + " times that of another, but the queries are " + schedule.describe());
    }
  }

  @Override
  public QuerySchedule schedule() {
    return schedule;
  }

  @Override
  public double noise(long query) {
    return scale * schedule.segments().get(schedule.query(query).segment()).noise();
  }

  @Override
  public double leastNoise() {
    double least = Double.POSITIVE_INFINITY;
    for (QuerySchedule.Segment each : schedule.segments()) {
      least = Math.min(least, scale * each.noise());
    }
    return least;
  }

  @Override
  public boolean fits(QuerySchedule queries) {
    return schedule.equals(queries);
  }

  @Override
  public long queries() {
    return schedule.queries();
  }

  @Override
  public boolean isEndless() {
    return false;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String parameters() {
    return schedule.describe();
  }

  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    return Math.sqrt(bound.within(rounds));
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return bound.most() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : Math.sqrt(bound.most());
  }

  @Override
  public Optional<ColumnDecay> memory() {
    return followed ? Optional.of(ColumnDecay.NONE) : Optional.empty();
  }

  /** That of the noisiest query: no prefix of blocks is released. */
  @Override
  public double prefixVariance(long rounds) {
    double most = 0;
    for (QuerySchedule.Segment each : schedule.segments()) {
      most = Math.max(most, scale * each.noise());
    }
    return most * most;
  }

  @Override
  public double incrementVariance() {
    return prefixVariance(1);
  }
}
