package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ColumnDecay;
import java.util.Optional;

/**
 * Fresh Gaussian noise on every query of a block; a round is a block. The cost of a slot is the
 * root of the sum of squares over the queries that read it, and a block costs what its worst slot
 * costs: the queries' noise is scaled so that this is one participation.
 */
public final class QueryNoise extends AnswerNoise {
  /** The name in ledgers. */
  public static final String NAME = "block-queries";

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
    super(whole(schedule), unsampled(schedule), 1);
    this.followed = followed;
    checkWidth();
  }

  private static QuerySchedule whole(QuerySchedule schedule) {
    if (schedule.sampling().isSecret()) {
      throw new IllegalArgumentException("the rate of " + NAME + " must be 1, but was "
          + schedule.sampling().rate() + "; " + SampledQueryNoise.NAME + " samples slots");
    }
    return schedule;
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
  public Optional<ColumnDecay> memory() {
    return followed ? Optional.of(ColumnDecay.NONE) : Optional.empty();
  }
}
