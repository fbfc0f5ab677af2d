package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.participation.ContributionBound;

/**
 * No noise at all, for a reference model on public data. Its sensitivity is infinite, so that every
 * guarantee computed from it is void; no configuration can name it.
 */
final class NoNoise extends PrefixMechanism {
  @Override
  public String name() {
    return "none";
  }

  @Override
  public double sensitivity(long rounds) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivityLimit() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double prefixVariance(long rounds) {
    return 0;
  }

  @Override
  public double incrementVariance() {
    return 0;
  }

  /** Infinite multiples of the rounds, beside which white noise is nothing. */
  @Override
  public double[][] matrix(int rounds) {
    double[][] rows = identity(rounds);
    for (int t = 0; t < rounds; t++) {
      rows[t][t] = Double.POSITIVE_INFINITY;
    }
    return rows;
  }

  /** There is nothing to compare with it. */
  @Override
  public boolean audits() {
    return false;
  }

  @Override
  public NoiseState start() {
    return new NoiseState() {
      @Override
      public void advance(
          long round, byte[] digest, KeyedNoise noise, long[] into, CoordinateRanges.Use after) {
        CoordinateRanges.each(into.length, after);
      }

      @Override
      public PagedBytes state(int pageBytes) {
        return PagedBytes.of(new byte[0]);
      }
    };
  }

  @Override
  public NoiseState resume(PagedBytes state) {
    return start();
  }
}
