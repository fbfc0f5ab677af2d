package dev.sotto.learner.mechanism;

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
public final class SampledQueryNoise extends AnswerNoise {
  /** The name in ledgers. */
  public static final String NAME = "sampled-queries";

  /**
   * The noise of a schedule.
   *
   * @param schedule with a rate below 1
   */
  public SampledQueryNoise(QuerySchedule schedule) {
    super(sampled(schedule), 1, unsampled(schedule));
    checkWidth();
  }

  private static QuerySchedule sampled(QuerySchedule schedule) {
    if (!schedule.sampling().isSecret()) {
      throw new IllegalArgumentException("the rate of " + NAME + " must be below 1, but was "
          + schedule.sampling().rate() + "; " + QueryNoise.NAME + " takes every slot");
    }
    return schedule;
  }

  @Override
  public List<SampledSums> sampledSums() {
    List<SampledSums> all = new ArrayList<>();
    QuerySchedule.Sampling sampling = schedule.sampling();
    for (QuerySchedule.Segment each : schedule.segments()) {
      if (each.answers()) {
        long sums = Math.multiplyExact(each.queries(), sampling.points());
        all.add(new SampledSums(sampling.rate(), each.noise(), sums));
      }
    }
    return List.copyOf(all);
  }

  @Override
  public AuditTerms auditTerms() {
    return AuditTerms.SAMPLED_SUMS;
  }

  @Override
  public String noised() {
    return "the sum of the slots that coins choose";
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String parameters() {
    return schedule.describe();
  }
}
