package dev.sotto.learner.mechanism;

import java.util.Optional;

/**
 * Noise of its own on every query of a block; a round is a block. Queries of one segment have the
 * same noise.
 */
public abstract sealed class AnswerNoise extends QueryMechanism
    permits QueryNoise, SampledQueryNoise, OrderedNoise {
  private static final double WIDEST = 0x1p11;

  /** What the queries of a block read, and with how much noise relative to each other. */
  protected final QuerySchedule schedule;

  private final double scale;
  private final double once;
  private final double least;
  private final double most;

  /**
   * Noise of a schedule.
   *
   * @param scale factor of the segments' noise
   * @param once what one participation costs, in units of {@code s / sigma}
   */
  AnswerNoise(QuerySchedule schedule, double scale, double once) {
    this.schedule = schedule;
    this.scale = scale;
    this.once = once;
    double smallest = Double.POSITIVE_INFINITY;
    double largest = 0;
    for (QuerySchedule.Segment each : schedule.segments()) {
      if (each.answers()) {
        smallest = Math.min(smallest, scale * each.noise());
        largest = Math.max(largest, scale * each.noise());
      }
    }
    this.least = smallest;
    this.most = largest;
  }

  /**
   * What one participation costs where slots enter every sum whole, under noise as the segments
   * say. Upwards by far more than what root, product and sum can lose.
   */
  static double unsampled(QuerySchedule schedule) {
    return Math.sqrt(schedule.sampling().points() * schedule.worstPrecision()) * (1 + 0x1p-40);
  }

  /** Refuses queries of which one has far more noise than another: they share one lattice. */
  final void checkWidth() {
    if (!(most <= WIDEST * least)) {
      throw new IllegalArgumentException("the noise of one query must be at most " + WIDEST
          + " times that of another, but the queries are " + schedule.describe());
    }
  }

  @Override
  public final <T> T kind(Kinds<T> kinds) {
    return kinds.answers(this);
  }

  /** Which slots its queries read. */
  public final QuerySchedule schedule() {
    return schedule;
  }

  @Override
  public final Optional<AnswerNoise> answers() {
    return Optional.of(this);
  }

  /**
   * Standard deviation of the noise of each sum of a query, as a multiple of sigma; infinite where
   * the query is not answered.
   */
  public final double noise(long query) {
    return scale * schedule.segments().get(schedule.query(query).segment()).noise();
  }

  @Override
  public final double leastNoise() {
    return least;
  }

  @Override
  public final double largestNoise() {
    return most;
  }

  @Override
  public final boolean fits(Optional<QuerySchedule> block) {
    return block.filter(schedule::equals).isPresent();
  }

  @Override
  public final long queries() {
    return schedule.queries();
  }

  @Override
  public final AnswerRows answerRows() {
    return AnswerRows.fresh(this);
  }

  @Override
  public Released released() {
    return Released.ANSWER;
  }

  /** How far one slot moves the answer of a query that reads it, in units of the clip, at most. */
  public double moves(long query) {
    return 1;
  }

  @Override
  public final double passes() {
    return (double) schedule.reads() / schedule.slots();
  }

  @Override
  public final double sensitivity(long rounds) {
    return once;
  }

  @Override
  public final double sensitivityLimit() {
    return once;
  }
}
