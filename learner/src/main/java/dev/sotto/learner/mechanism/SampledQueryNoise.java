package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ContributionBound;
import java.util.ArrayList;
import java.util.List;

/**
 * Fresh Gaussian noise on every sum of a block whose slots enter each sum by secret coins
 * (docs/privacy.md, "Sampled queries"); a round is a block. Noise is as the segments say, and not
 * scaled: epsilon follows from {@link #sampledSums()} by the distribution of the privacy loss.
 *
 * <p>Its sensitivity, and so mu, is that without sampling, from above: whoever sees the coins
 * besides sees a Gaussian mechanism that a slot enters at most as often as there are sums, and who
 * does not see them learns no more. No mu is claimed through sampling.
 */
public final class SampledQueryNoise extends OwnMechanism {
  /** The name in ledgers. */
  public static final String NAME = "sampled-queries";

  private static final double WIDEST = 0x1p11;

  private final QuerySchedule schedule;
  private final double once;
  private final double least;
  private final double most;

  /**
   * The noise of a schedule.
   *
   * @param schedule with a rate below 1
   */
  public SampledQueryNoise(QuerySchedule schedule) {
    if (!schedule.sampling().isSecret()) {
      throw new IllegalArgumentException("the rate of " + NAME + " must be below 1, but was "
          + schedule.sampling().rate() + "; " + QueryNoise.NAME + " takes every slot");
    }
    this.schedule = schedule;
    // Upwards by far more than what root, product and sum can lose.
    this.once = Math.sqrt(schedule.sampling().points() * schedule.worstPrecision()) * (1 + 0x1p-40);
    this.least =
        answered().stream().mapToDouble(QuerySchedule.Segment::noise).min().orElseThrow();
    this.most =
        answered().stream().mapToDouble(QuerySchedule.Segment::noise).max().orElseThrow();
    if (!(most <= WIDEST * least)) {
      throw new IllegalArgumentException("the noise of one query must be at most " + WIDEST
          + " times that of another, but the queries are " + schedule.describe());
    }
  }

  private List<QuerySchedule.Segment> answered() {
    return schedule.segments().stream().filter(QuerySchedule.Segment::answers).toList();
  }

  @Override
  public QuerySchedule schedule() {
    return schedule;
  }

  /**
   * Standard deviation of the noise of each sum of a query, as a multiple of sigma; infinite where
   * the query is not answered.
   */
  @Override
  public double noise(long query) {
    return schedule.segments().get(schedule.query(query).segment()).noise();
  }

  @Override
  public List<SampledSums> sampledSums() {
    List<SampledSums> all = new ArrayList<>();
    QuerySchedule.Sampling sampling = schedule.sampling();
    for (QuerySchedule.Segment each : answered()) {
      long sums = Math.multiplyExact(each.queries(), sampling.points());
      all.add(new SampledSums(sampling.rate(), each.noise(), sums));
    }
    return List.copyOf(all);
  }

  @Override
  public double leastNoise() {
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
  public double sensitivity(long rounds) {
    return once;
  }

  @Override
  public double sensitivityLimit() {
    return once;
  }

  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    return once * Math.sqrt(bound.within(rounds));
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return bound.most() == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : once * Math.sqrt(bound.most());
  }

  /** That of the noisiest query with an answer: no prefix of blocks is released. */
  @Override
  public double prefixVariance(long rounds) {
    return most * most;
  }

  @Override
  public double incrementVariance() {
    return prefixVariance(1);
  }
}
