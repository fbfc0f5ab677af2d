package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.Optional;

/**
 * Fresh noise on every round's sum: the plain reference. C is the identity, so that the privacy of
 * a record never grows, while the error of a prefix sum grows as the root of the rounds.
 */
class IndependentNoise extends PrefixMechanism {
  private static final String PURPOSE = "independent";

  @Override
  public String name() {
    return "independent";
  }

  @Override
  public double sensitivity(long rounds) {
    return 1;
  }

  @Override
  public double sensitivityLimit() {
    return 1;
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
    return Optional.of(ColumnDecay.NONE);
  }

  @Override
  public double prefixVariance(long rounds) {
    return rounds;
  }

  @Override
  public double incrementVariance() {
    return 1;
  }

  @Override
  public double[][] matrix(int rounds) {
    return identity(rounds);
  }

  @Override
  public NoiseState start() {
    return new State();
  }

  @Override
  public NoiseState resume(PagedBytes state) {
    return new State();
  }

  /** Adds the noise of a round. */
  void add(KeyedNoise noise, byte[] digest, long round, long[] into, CoordinateRanges.Use after) {
    noise.add(digest, PURPOSE, round, 1, into, after);
  }

  private final class State extends NoiseState {
    @Override
    public void advance(
        long round, byte[] digest, KeyedNoise noise, long[] into, CoordinateRanges.Use after) {
      add(noise, digest, round, into, after);
    }

    @Override
    public PagedBytes state(int pageBytes) {
      return PagedBytes.of(new byte[0]);
    }
  }
}
